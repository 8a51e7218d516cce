import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import pages from './vite.config.ts';

export default mergeConfig(
  pages,
  defineConfig({
    resolve: { conditions: ['browser'] },
    test: {
      environment: 'jsdom',
      include: ['src/**/*.test.ts'],
      setupFiles: ['vitest.setup.ts'],
      testTimeout: 120_000,
      css: { include: [/\.css\?raw$/] }, // without it a style sheet that a test reads is empty
    },
  }),
);
