/**
 * Takes a picture of every state of the element, without a service:
 * `node scripts/state-pictures.mjs [?lang=de] [name …]`. Writes one picture for each state, size and colour
 * scheme to .build/states, and a sheet of all states for each size and colour scheme. Look at the sheets
 * after a change of the states.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { inRoot } from './lib/paths.mjs';
import { main } from './lib/run.mjs';

const SIZES = ['390x844', '844x390', '1440x900'];
const COLOURS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
};
/**
 * States that take longer to appear, with their time in milliseconds. The page's clock is advanced by that
 * time.
 */
const SLOW = { silent: 4_500, poor: 1_500, 'all-at-once': 1_500, 'end-unreachable': 30_000 };
/** Width of a picture on a sheet, in pixels. */
const THUMB_WIDTH = { '390x844': 260, '844x390': 520, '1440x900': 520 };

/** Language and direction, for example `?lang=he&dir=rtl`. */
const query = process.argv.find((each) => each.startsWith('?')) ?? '';
const chosen = process.argv.slice(2).filter((each) => each !== query);

async function take(browser, address, name, size, colours) {
  const [width, height] = size.split('x').map(Number);
  const phone = Math.min(width, height) < 500;
  const context = await browser.newContext({
    ...{ viewport: { width, height }, hasTouch: phone, isMobile: phone },
    // Turns animations off. Otherwise a picture could show an animation in progress.
    reducedMotion: 'reduce',
    ...COLOURS[colours],
  });
  try {
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${address}states.html${query}#${name}`);
    await page.waitForFunction(() => document.querySelector('cloud-browser')?.state !== 'idle');
    for (let passed = 0; passed < (SLOW[name] ?? 500); passed += 250) await page.clock.runFor(250);
    await page.screenshot({ path: inRoot(`.build/states/${name}-${size}-${colours}.png`) });
  } finally {
    await context.close();
  }
}

/** Puts all states into one picture, each with its name. */
async function sheet(browser, names, size, colours) {
  const figures = names.map(async (name) => {
    const picture = await readFile(inRoot(`.build/states/${name}-${size}-${colours}.png`), 'base64');
    return `<figure><img width="${THUMB_WIDTH[size]}" src="data:image/png;base64,${picture}"><figcaption>${name}</figcaption></figure>`;
  });
  const page = await browser.newPage({ viewport: { width: 1680, height: 900 } });
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;font:13px system-ui;background:#888}figure{margin:0}img{display:block}</style>${(await Promise.all(figures)).join('')}`,
  );
  await page.screenshot({ path: inRoot(`.build/states/sheet-${size}-${colours}.png`), fullPage: true });
  await page.close();
}

await main(async () => {
  await mkdir(inRoot('.build/states'), { recursive: true });
  const server = await createServer({
    ...{ configFile: false, root: inRoot('demo'), cacheDir: inRoot('.build/vite'), logLevel: 'error' },
  });
  await server.listen(0);
  const browser = await chromium.launch({
    executablePath: '/usr/lib/chromium/chromium-headless-shell',
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const [address] = server.resolvedUrls.local;
    const page = await browser.newPage();
    await page.goto(`${address}states.html`);
    const all = await page.locator('nav a').allTextContents();
    const names = chosen.length > 0 ? chosen : all;
    for (const size of SIZES)
      for (const colours of Object.keys(COLOURS)) {
        for (const name of names) await take(browser, address, name, size, colours);
        await sheet(browser, names, size, colours);
      }
    console.log(`Pictures of ${names.length} looks are in .build/states.`);
  } finally {
    await browser.close();
    await server.close();
  }
});
