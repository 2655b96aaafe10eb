/**
 * Takes the pictures of the demo for the README: `node scripts/demo-pictures.mjs`. Starts the built service
 * and a page that it hosts, drives the real demo, and writes docs/images/demo-desktop.png and demo-phone.png.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, devices } from 'playwright';
import { inRoot } from './lib/paths.mjs';
import { main } from './lib/run.mjs';

const SHOTS = [
  { name: 'demo-desktop', size: 'fit', kiosk: false, context: { viewport: { width: 1440, height: 900 } } },
  {
    name: 'demo-phone',
    size: '540x960',
    kiosk: true,
    context: { ...devices['Pixel 5'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
  },
];

/**
 * Serves the hosted page. Chromium resolves every name below `localhost` to this machine, and in an address
 * bar a name is easier to read than a number.
 */
async function hostPage() {
  const html = await readFile(inRoot('docs/images/source/field-notes.html'));
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://field-notes.localhost:${server.address().port}/`, close: () => server.close() };
}

async function startService(directory) {
  const child = spawn(process.execPath, [inRoot('server/dist/cli.js')], {
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      PORT: '0',
      STATE_DIR: join(directory, 'state'),
      RUNTIME_DIR: join(directory, 'run'),
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      // Address of the pages for the pictures.
      EGRESS_ALLOW: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let address;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    // The first address that the service prints. It prints another one whenever a browser has used the last
    // one.
    address = /http:\S+#start=\S+/.exec(text)?.[0] ?? address;
  });
  await once(child.stdout, 'data');
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { address: () => address, stop };
}

/** Scrolls down and back, so that the demo has values to show. */
async function useSession(page, { isMobile }) {
  const { x, y, width, height } = await page.locator('cloud-browser').boundingBox();
  const middle = [x + width / 2, y + height / 2];
  for (const direction of [1, -1]) {
    for (let step = 0; step < 40; step++) {
      await page.mouse.move(middle[0] + step * (isMobile ? 0 : 3), middle[1] + step);
      if (step % 5 === 0) await page.mouse.wheel(0, direction * 120);
      await page.waitForTimeout(16);
    }
  }
  await page.waitForTimeout(2_000);
}

async function take(browser, address, pageUrl, { name, size, kiosk, context: options }) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(address);
  await page.fill('[name=startUrl]', pageUrl);
  await page.selectOption('[name=size]', size);
  if (kiosk) await page.locator('label:has([name=kiosk])').click();
  await page.click('.session-form [type=submit]');
  await page.waitForFunction(() => document.querySelector('cloud-browser')?.stats?.framesPainted > 1);
  await page.evaluate(() => scrollTo(0, 0));
  await useSession(page, options);
  await page.screenshot({ path: inRoot('docs/images', `${name}.png`) });
  await page.click('[data-action=end]');
  await context.close();
}

await main(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-pictures-'));
  // The system users of sessions must be able to enter this directory.
  await chmod(directory, 0o711);
  const hosted = await hostPage();
  const service = await startService(directory);
  const browser = await chromium.launch({
    executablePath: '/usr/lib/chromium/chromium',
    chromiumSandbox: process.getuid() !== 0,
    args: ['--disable-gpu', '--no-first-run', '--password-store=basic'],
  });
  try {
    for (const shot of SHOTS) await take(browser, service.address(), hosted.url, shot);
  } finally {
    await browser.close();
    await service.stop();
    hosted.close();
    await rm(directory, { recursive: true, force: true });
  }
});
