import { defineConfig } from 'vite';

/**
 * Builds the welcome page of the demo's sessions, and the shop of the demo's agent. The egress process serves
 * them, so they have their own directory.
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
