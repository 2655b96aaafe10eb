import { defineConfig } from 'vite';

/**
 * The page that the demo's sessions begin with, and the shop of the demo's agent. The egress process answers
 * them, so they have a place of their own beside the service's pages.
 */
export default defineConfig({
  root: 'demo/welcome',
  publicDir: false,
  build: {
    outDir: '../../server/dist/pages/welcome',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ['index', 'order'].map((name) => `demo/welcome/${name}.html`) },
  },
});
