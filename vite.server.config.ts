import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { completeLicenses } from './scripts/lib/complete-licenses.mjs';
import { bundlePacProgram } from './scripts/lib/pac-program.mjs';

/** Adds the parts that run customers' proxy scripts: the packaged engine, and the program of its threads. */
function proxyScripts(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve('quickjs-wasi/package.json'));
  return {
    name: 'proxy-scripts',
    async generateBundle() {
      const source = readFileSync(join(root, 'quickjs.wasm'));
      this.emitFile({ type: 'asset', fileName: 'egress/quickjs.wasm', source });
      const { program, licenses } = await bundlePacProgram();
      this.emitFile({ type: 'asset', fileName: 'egress/pac-program.cjs', source: program });
      this.emitFile({ type: 'asset', fileName: 'egress/licenses.md', source: licenses });
    },
  };
}

/** Modules of the X library that sessions never use: its X server, and the names of all keys. */
const UNUSED_OF_X11 = /\/x11\/lib\/(xserver\/index|keysyms|ext\/glx)\.js$/;

/** Leaves it out: a third of what a session's host would load. */
function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    load: (id) => (UNUSED_OF_X11.test(id) ? 'module.exports = {};' : null),
  };
}

/** Gives each library in the list of licences an identifier and a text, also where its package has none. */
function allLicenses(): Plugin {
  return {
    name: 'all-licenses',
    writeBundle({ dir = '' }) {
      const path = join(dir, 'licenses.md');
      writeFileSync(path, completeLicenses(readFileSync(path, 'utf8')));
    },
  };
}

/**
 * The service, the session host, the egress process and the program for thumbnails, each with the parts it
 * uses of its libraries: a session waits for its host to load, which takes a third of the time that it takes
 * from hundreds of files.
 */
export default defineConfig({
  root: 'server',
  publicDir: false,
  plugins: [proxyScripts(), withoutUnused(), allLicenses()],
  build: {
    ssr: true,
    outDir: 'dist',
    // Beside what the other builds put there.
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        cli: 'server/src/cli.ts',
        'host/main': 'server/src/host/main.ts',
        'egress/main': 'server/src/egress/main.ts',
        'recordings/thumbnails/main': 'server/src/recordings/thumbnails/main.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name].js',
        // Every session loads them: a character beyond Latin-1 doubles what there is to read, and half of it
        // were comments.
        comments: { legal: false, annotation: false, jsdoc: false },
        minify: {
          compress: false,
          mangle: false,
          codegen: { removeWhitespace: false, asciiOnly: true },
        },
      },
    },
  },
  ssr: { noExternal: true },
});
