import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { completeLicenses } from './scripts/lib/complete-licenses.mjs';
import { bundlePacProgram } from './scripts/lib/pac-program.mjs';

/**
 * Adds the files that run customers' proxy scripts: the JavaScript engine, and the program of its threads.
 */
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

/** Removes these modules. They would be a third of the code that a session's host loads. */
function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    load: (id) => (UNUSED_OF_X11.test(id) ? 'module.exports = {};' : null),
  };
}

/** Completes the list of licences: adds an identifier or a text where the package of a library has none. */
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
 * Builds the service, the session host, the egress process and the program for thumbnails. Each bundle
 * contains the used parts of its libraries. A session waits until its host is loaded. A bundle loads in a
 * third of the time of hundreds of files.
 */
export default defineConfig({
  root: 'server',
  publicDir: false,
  plugins: [proxyScripts(), withoutUnused(), allLicenses()],
  build: {
    ssr: true,
    outDir: 'dist',
    // The other builds write to the same directory.
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
        // Every session loads these files. With a character outside of Latin-1, a file would take twice the
        // memory. Comments would be half of the files.
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
