import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { slimStylesPlugin } from './scripts/lib/slim-styles.mjs';
import { terserPass } from './scripts/lib/terser-pass.mjs';
import { partNames, scriptParts } from './scripts/lib/script-parts.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * The element for pages without a bundler: what the service hands out as `/element.js`, and the parts that it
 * loads when it needs them.
 */
export default defineConfig({
  publicDir: false,
  plugins: [slimStylesPlugin(), terserPass(), scriptParts('element')],
  build: {
    outDir: 'server/dist/pages/element-script',
    emptyOutDir: true,
    target: 'es2022',
    minify: true,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    lib: { entry: 'src/element/define.ts', formats: ['es'], fileName: 'element' },
    rollupOptions: {
      // Parts use what the script has already.
      preserveEntrySignatures: 'allow-extension',
      output: {
        chunkFileNames: partNames('element'),
        // Vite leaves the white space of a library for its users' bundlers; this one has none.
        minify: { codegen: { removeWhitespace: true } },
        // After minifying, which takes comments away. The licences of what is inside ask to be named with it.
        postBanner: `/*! cloud-browser ${version}, MIT. Licences of the libraries inside: /element.licenses.md */`,
      },
    },
  },
});
