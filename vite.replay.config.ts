import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { slimStylesPlugin } from './scripts/lib/slim-styles.mjs';
import { terserPass } from './scripts/lib/terser-pass.mjs';
import { partNames, scriptParts } from './scripts/lib/script-parts.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * Builds `<cloud-browser-replay>` for pages without a bundler: the script that the service serves as
 * `/replay.js`, and the parts that the script loads later.
 */
export default defineConfig({
  publicDir: false,
  plugins: [slimStylesPlugin(), terserPass(), scriptParts('replay')],
  build: {
    outDir: 'server/dist/pages/replay-script',
    emptyOutDir: true,
    target: 'es2022',
    minify: true,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    lib: { entry: 'src/replay/define.ts', formats: ['es'], fileName: 'replay' },
    rollupOptions: {
      // Parts import code from the script, so the script may export more than its entry.
      preserveEntrySignatures: 'allow-extension',
      output: {
        chunkFileNames: partNames('replay'),
        // Vite keeps the white space of a library, because bundlers remove it. No bundler reads this script.
        minify: { codegen: { removeWhitespace: true } },
        // Minifying removes comments, so this one is added later. The licences of the libraries require it.
        postBanner: `/*! cloud-browser ${version}, MIT. Licences of the libraries inside: /replay.licenses.md */`,
      },
    },
  },
});
