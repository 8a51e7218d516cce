// Every file of the build also as .gz and .br, so that the server sends what is already small.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const DENSER = /\.(js|css|html|svg|json|wasm)$/;

export function squeezed(): Plugin {
  let folder = '';
  return {
    name: 'squeezed',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!file.isFile() || !DENSER.test(file.name)) continue;
        const path = join(file.parentPath, file.name);
        const content = await readFile(path);
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
        await writeFile(
          `${path}.br`,
          await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        );
      }
    },
  };
}
