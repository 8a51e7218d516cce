// The pages are built into the Python package, which serves them. `npm run dev` asks a server on port 8765.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { rules } from './plugins/rules.ts';
import { squeezed } from './plugins/squeezed.ts';

const server = process.env.QUINCUNX_SERVER ?? 'http://127.0.0.1:8765';

export default defineConfig({
  plugins: [svelte(), rules(), squeezed()],
  resolve: { alias: { $lib: '/src/lib', $games: '/src/games' } },
  build: {
    outDir: '../src/quincunx/server/pages',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
  },
  // files name each other by where they are, so that the site may lie below a path of another; only the first page, which
  // is served at many addresses, names them from the root, and the server puts that path before (server/pages.py)
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }) },
  server: {
    fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
    // the server compares Origin and Host: both stay what the browser sent
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/ws': { target: server.replace('http', 'ws'), ws: true, changeOrigin: false },
    },
  },
});
