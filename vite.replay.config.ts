import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { slimStylesPlugin } from './scripts/lib/slim-styles.mjs';
import { terserPass } from './scripts/lib/terser-pass.mjs';
import { partNames, scriptParts } from './scripts/lib/script-parts.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * `<cloud-browser-replay>` for pages without a bundler: what the service hands out as `/replay.js`, and the
 * parts that it loads when it needs them.
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
      // Parts use what the script has already.
      preserveEntrySignatures: 'allow-extension',
      output: {
        chunkFileNames: partNames('replay'),
        // Vite leaves the white space of a library for its users' bundlers; this one has none.
        minify: { codegen: { removeWhitespace: true } },
        // After minifying, which takes comments away. The licences of what is inside ask to be named with it.
        postBanner: `/*! cloud-browser ${version}, MIT. Licences of the libraries inside: /replay.licenses.md */`,
      },
    },
  },
});
