import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { brotli } from './plugins/brotli';
import { firstPaint } from './plugins/first-paint';
import { retryStyles } from './plugins/retry-styles';

// Development talks to a server (or `npm run mock`) on this address; the built pages are served by the server itself.
const server = process.env['WORKROOM_URL'] ?? 'http://127.0.0.1:8420';

export default defineConfig({
  plugins: [svelte(), firstPaint('src/first-paint.js'), retryStyles(), brotli()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0, // everything under /assets/, hashed: one caching rule, and nothing inline for the CSP to refuse
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: server, changeOrigin: true } } },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
