import { defineConfig } from 'vite';

/** The page behind an embed URL. It is served below many addresses, so its assets have a fixed one. */
export default defineConfig({
  root: 'src/embed',
  base: '/embed/',
  build: {
    outDir: '../../server/dist/pages/embed',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
