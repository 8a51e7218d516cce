// The games of the site, which no server holds: `tools/offline.py` builds them into the site's folder play/.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { rules } from './plugins/rules.ts';

export default defineConfig({
  plugins: [svelte(), rules()],
  resolve: { alias: { $lib: '/src/lib', $games: '/src/games' } },
  base: './',
  publicDir: false,
  worker: { format: 'es' },
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: { input: 'play.html' },
  },
});
