// The pages are built into the Python package, which serves them. `npm run dev` asks a server on port 8765.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const server = process.env.QUINCUNX_SERVER ?? 'http://127.0.0.1:8765';

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: '/src/lib', $games: '/src/games' }, conditions: process.env.VITEST ? ['browser'] : undefined },
  build: { outDir: '../src/quincunx/server/pages', emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022' },
  server: { proxy: { '/api': server, '/ws': { target: server.replace('http', 'ws'), ws: true } } },
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
});
