import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { terserPass } from './scripts/lib/terser-pass.mjs';
import { partNames, scriptParts } from './scripts/lib/script-parts.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * Builds the answer of an embed URL to `fetch`: one file without imports, because the public client imports
 * it as a blob. Also builds the parts that this file loads later.
 */
export default defineConfig({
  publicDir: false,
  plugins: [terserPass(), scriptParts('embed', 'loadPart')],
  build: {
    outDir: 'server/dist/pages/embed-script',
    emptyOutDir: true,
    target: 'es2022',
    minify: true,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    lib: { entry: 'src/embed-module/index.ts', formats: ['es'], fileName: 'embed' },
    rollupOptions: {
      // Parts import code from the module, so the module may export more than its entry.
      preserveEntrySignatures: 'allow-extension',
      output: {
        chunkFileNames: partNames('embed'),
        minify: { codegen: { removeWhitespace: true } },
        // The element has the same libraries, and the service serves the list of its licences.
        postBanner: `/*! cloud-browser ${version}, MIT. Licences of the libraries inside: /element.licenses.md */`,
      },
    },
  },
});
