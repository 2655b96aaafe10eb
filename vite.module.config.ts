import { defineConfig } from 'vite';

/** What an embed URL answers to `fetch`: one file without imports, because the public client imports it as a blob. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'server/dist/pages/embed-script',
    emptyOutDir: true,
    target: 'es2022',
    minify: true,
    reportCompressedSize: false,
    lib: { entry: 'src/embed-module/index.ts', formats: ['es'], fileName: 'embed' },
    rollupOptions: { output: { codeSplitting: false, minify: { codegen: { removeWhitespace: true } } } },
  },
});
