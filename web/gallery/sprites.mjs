// Writes every sprite of Garden Tensions as an SVG file of its own: `node gallery/sprites.mjs <folder>`, from web/.
// tools/sprites.py makes PNG files of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'vite';

const folder = process.argv[2];
const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
const { render } = await vite.ssrLoadModule('svelte/server');
const { default: Sprite, SPRITES } = await vite.ssrLoadModule('/src/games/garden/Sprite.svelte');
mkdirSync(folder, { recursive: true });
for (const name of SPRITES) {
  const svg = render(Sprite, { props: { name } }).body.replace(/<!--.*?-->/g, '');
  writeFileSync(`${folder}/${name}.svg`, svg);
}
console.log(SPRITES.join('\n'));
await vite.close();
