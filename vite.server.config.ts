import { defineConfig } from 'vite';

/**
 * The service and the session host, each with the parts it uses of its libraries: a session waits for its host to load, which
 * takes a third of the time that it takes from hundreds of files.
 */
export default defineConfig({
  root: 'server',
  publicDir: false,
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
      input: { cli: 'server/src/cli.ts', 'host/main': 'server/src/host/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' },
    },
  },
  ssr: { noExternal: true },
});
