// The live boards of the site: `tools/docs.py` builds them into the site's folder live/.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: '/src/lib', $games: '/src/games' } },
  base: './',
  publicDir: false,
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: 'src/docs/live.ts',
      output: { entryFileNames: 'live.js', chunkFileNames: '[name]-[hash].js', assetFileNames: '[name][extname]' },
    },
  },
});
