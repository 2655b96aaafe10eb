import { defineConfig } from 'vite';

/**
 * The page that the demo's sessions begin with. The egress process answers it, so it has a place of its own
 * beside the service's pages.
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
  },
});
