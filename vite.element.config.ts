import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { slimStylesPlugin } from './scripts/lib/slim-styles.mjs';
import { terserPass } from './scripts/lib/terser-pass.mjs';
import { partNames, scriptParts } from './scripts/lib/script-parts.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * Builds the element for pages without a bundler: the script that the service serves as `/element.js`, and
 * the parts that the script loads later.
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
      // Parts import code from the script, so the script may export more than its entry.
      preserveEntrySignatures: 'allow-extension',
      output: {
        chunkFileNames: partNames('element'),
        // Vite keeps the white space of a library, because bundlers remove it. No bundler reads this script.
        minify: { codegen: { removeWhitespace: true } },
        // Minifying removes comments, so this one is added later. The licences of the libraries require it.
        postBanner: `/*! cloud-browser ${version}, MIT. Licences of the libraries inside: /element.licenses.md */`,
      },
    },
  },
});
