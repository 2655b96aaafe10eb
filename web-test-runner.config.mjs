import { esbuildPlugin } from '@web/dev-server-esbuild';
import { playwrightLauncher } from '@web/test-runner-playwright';

/** Debian's Chromium; as root it needs `--no-sandbox`, which only ever opens these tests' own pages. */
const launchOptions = {
  executablePath: '/usr/lib/chromium/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

/**
 * Serves the browser build of eventemitter3. Its entry is CommonJS inside, which needs a bundler, and these
 * tests load modules one by one.
 */
const eventEmitter = {
  name: 'eventemitter3-as-module',
  resolveImport: ({ source }) =>
    source === 'eventemitter3' ? '/node_modules/eventemitter3/dist/eventemitter3.esm.js' : undefined,
};

export default {
  files: 'test/browser/**/*.test.ts',
  nodeResolve: true,
  plugins: [eventEmitter, esbuildPlugin({ ts: true, target: 'es2022' })],
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions })],
  concurrency: 1,
  // Of what hangs: on a busy machine a file of a second takes many.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  testFramework: { config: { timeout: 60_000 } },
};
