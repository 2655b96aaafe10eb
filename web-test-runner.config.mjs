import { esbuildPlugin } from '@web/dev-server-esbuild';
import { playwrightLauncher } from '@web/test-runner-playwright';

/** Debian's Chromium; as root it needs `--no-sandbox`, which only ever opens these tests' own pages. */
const launchOptions = {
  executablePath: '/usr/lib/chromium/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

/** The package's entry for bundlers wraps a CommonJS file, which no browser can import; it brings an ES module too. */
const eventEmitterModule = {
  name: 'eventemitter3-module',
  resolveImport: ({ source }) =>
    source === 'eventemitter3' ? '/node_modules/eventemitter3/dist/eventemitter3.esm.js' : undefined,
};

export default {
  files: 'test/browser/**/*.test.ts',
  nodeResolve: true,
  plugins: [eventEmitterModule, esbuildPlugin({ ts: true, target: 'es2022' })],
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions })],
  concurrency: 1,
  testFramework: { config: { timeout: 10_000 } },
};
