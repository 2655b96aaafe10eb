import { readFile } from 'node:fs/promises';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { playwrightLauncher } from '@web/test-runner-playwright';

/**
 * Debian's Chromium without windows. It has the same engine and needs half of the processor time. For root,
 * its sandbox is off. It opens only the pages of these tests.
 */
const launchOptions = {
  executablePath: '/usr/lib/chromium/chromium-headless-shell',
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

/**
 * Serves the browser build of eventemitter3. Its usual entry imports CommonJS, which needs a bundler. These
 * tests load each module without a bundler.
 */
const eventEmitter = {
  name: 'eventemitter3-as-module',
  resolveImport: ({ source }) =>
    source === 'eventemitter3' ? '/node_modules/eventemitter3/dist/eventemitter3.esm.js' : undefined,
};

/**
 * Serves the requested bytes of a video, as the service does. Without byte ranges, a browser can seek only in
 * a video that it has loaded.
 */
async function videoRanges(context, next) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(context.get('range')) ?? [];
  if (!context.path.endsWith('.mp4') || first === undefined) return next();
  const video = await readFile(new URL(`.${context.path}`, import.meta.url)).catch(() => undefined);
  if (!video) return next();
  const end = Math.min(last === '' ? Infinity : Number(last), video.length - 1);
  context.status = 206;
  context.type = 'video/mp4';
  context.set({ 'accept-ranges': 'bytes', 'content-range': `bytes ${first}-${end}/${video.length}` });
  context.body = video.subarray(Number(first), end + 1);
}

/** Permissions of the tests' pages. A headless browser shows no prompt, and refuses all others. */
const permissions = ['clipboard-read', 'clipboard-write'];
const createBrowserContext = ({ browser }) => browser.newContext({ permissions });

export default {
  files: 'test/browser/**/*.test.ts',
  nodeResolve: true,
  plugins: [eventEmitter, esbuildPlugin({ ts: true, target: 'es2022' })],
  middleware: [videoRanges],
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions, createBrowserContext })],
  concurrency: 1,
  // Timeouts for hanging tests. On a busy machine, a file takes many times longer than usual.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  testFramework: { config: { timeout: 60_000 } },
};
