import assert from 'node:assert/strict';
import type { HostedPage } from '../support/hosted-page.js';
import type { PageServer } from '../support/page-server.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
let service: Service;
let pages: PageServer;
test.beforeAll(async ({ pages: sharedPages, service: sharedService }) => {
  service = sharedService;
  pages = sharedPages;
});

/** Sessions of earlier tests by their parameters, to be used again; they end with the file. */
const used = new Map<string, Session>();

/** Opens a page in a session of these parameters and does something with it. */
async function within(
  parameters: Record<string, unknown>,
  look: (page: HostedPage, session: Session) => Promise<void>,
  name = 'marker',
): Promise<void> {
  const page = pages.page(name);
  const key = JSON.stringify(parameters);
  const before = used.get(key);
  if (before) await service.show(before, page.url);
  const session = before ?? (await service.create({ start_url: page.url, ...parameters }));
  used.set(key, session);
  await page.loaded();
  await look(page, session);
}

const SIZE = { width: 900, height: 700 };
/** Parameters that do not affect each other. */
const SWISS = {
  dark: true,
  webgl: true,
  hide_cursor: true,
  locale: { language: 'de, fr;q=0.5', country: 'CH' },
};
const GERMAN = { ...SIZE, kiosk: false, locale: { country: 'DE' } };
const AMERICAN = { ...SIZE, kiosk: true, locale: { country: 'US' } };
const ANDROID = { user_agent: 'chrome_android' };

const prefersDark = 'matchMedia("(prefers-color-scheme: dark)").matches';
const has3d = '["webgl", "webgl2"].map((kind) => document.createElement("canvas").getContext(kind) !== null)';

test.describe('a session with default settings', () => {
  test('has the light scheme, no 3D, American English and UTC', { tag: '@main' }, async () => {
    await within({}, async (page) => {
      assert.equal(await page.run(prefersDark), false);
      assert.deepEqual(await page.run(has3d), [false, false]);
      assert.deepEqual(await page.run('navigator.languages'), ['en-US', 'en']);
      assert.equal(await page.run('Intl.DateTimeFormat().resolvedOptions().timeZone'), 'UTC');
    });
  });
});

// Proves: kiosk
test("kiosk gives the page the whole screen, and without it the browser's controls are shown", async () => {
  await within(AMERICAN, (page) => page.fills(SIZE));
  await within(GERMAN, async (page) => {
    await page.until('there is a bar above it', ({ width, height }) => width === 900 && Number(height) < 660);
  });
});

// Proves: dark
test('dark makes pages prefer dark colours', async () => {
  await within(SWISS, async (page) => {
    assert.equal(await page.run(prefersDark), true);
  });
});

// Proves: webgl
test('webgl gives pages 3D contexts that draw', async () => {
  await within(SWISS, async (page) => {
    assert.deepEqual(await page.run(has3d), [true, true]);
    const pixel = `(() => {
      const gl = document.createElement('canvas').getContext('webgl');
      gl.clearColor(0, 0.6, 1, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      const pixel = new Uint8Array(4);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [...pixel];
    })()`;
    assert.deepEqual(await page.run(pixel), [0, 153, 255, 255]);
  });
});

test.describe('locale', () => {
  // Proves: locale.language; locale.country
  test('sets languages, the header, the format of dates and numbers, and the time zone', async () => {
    await within(SWISS, async (page) => {
      assert.deepEqual(await page.run('navigator.languages'), ['de', 'fr']);
      assert.equal(page.headers['accept-language'], 'de,fr;q=0.9');
      assert.equal(await page.run('Intl.DateTimeFormat().resolvedOptions().timeZone'), 'Europe/Zurich');
      assert.equal(await page.run('new Date(0).toLocaleString()'), '1.1.1970, 01:00:00');
      assert.equal(await page.run('(1234567.5).toLocaleString()'), "1'234'567.5");
    });
  });

  test('sets the time zone of a country only if all its zones have the same time', async () => {
    for (const [parameters, zone] of [
      [GERMAN, 'Europe/Berlin'],
      [AMERICAN, 'UTC'],
    ] as const)
      await within(parameters, async (page) => {
        assert.equal(await page.run('Intl.DateTimeFormat().resolvedOptions().timeZone'), zone);
        assert.deepEqual(await page.run('navigator.languages'), ['en-US', 'en']);
      });
  });
});

test.describe('user_agent', () => {
  // Proves: user_agent
  test('chrome_android presents a phone in every respect', async () => {
    await within(ANDROID, async (page) => {
      const agent = await page.run('navigator.userAgent');
      assert.match(String(agent), /Android 10; K\).* Chrome\/\d+\.0\.0\.0 Mobile Safari/);
      assert.equal(page.headers['user-agent'], agent);
      assert.equal(page.headers['sec-ch-ua-mobile'], '?1');
      assert.equal(page.headers['sec-ch-ua-platform'], '"Android"');
      assert.deepEqual(await page.run('[navigator.userAgentData.mobile, navigator.userAgentData.platform]'), [
        true,
        'Android',
      ]);
      assert.equal(await page.run('navigator.maxTouchPoints'), 5);
      assert.equal(await page.run('"ontouchstart" in window'), true);
      assert.deepEqual(
        await page.run('["(pointer: coarse)", "(hover: none)"].map((query) => matchMedia(query).matches)'),
        [true, true],
      );
    });
  });

  test('chrome_android presents a phone to workers too', async () => {
    await within(ANDROID, async (page) => {
      const names = ['userAgent', 'appVersion', 'platform'];
      const look = `JSON.stringify(${JSON.stringify(names)}.map((name) => navigator[name]))`;
      await page.run(`{
        const scripts = {
          dedicated: 'postMessage(${look})',
          shared: 'onconnect = ({ ports: [port] }) => port.postMessage(${look})',
        };
        const urls = Object.entries(scripts).map(([kind, script]) =>
          [kind, URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))]);
        for (const [kind, url] of urls) {
          const port = kind === 'shared' ? new SharedWorker(url).port : new Worker(url);
          port.onmessage = ({ data }) => report({ [kind]: data });
        }
      }`);
      const expected = await page.run(look);
      for (const kind of ['dedicated', 'shared'])
        await page.until(`the ${kind} worker is as the page`, (state) => state[kind] === expected);
    });
  });

  test('chrome_android turns mouse input into touches', async ({ watch }) => {
    await within(
      ANDROID,
      async (page, session) => {
        const viewer = await watch(session);
        await viewer.page.mouse.click(140, 100);
        await page.event('touchstart');
        await page.event('click');
        await viewer.close();
      },
      'touch',
    );
  });

  test('chrome_android applies to new tabs before they load', async ({ watch }) => {
    await within(ANDROID, async (page, session) => {
      const second = pages.page('marker');
      await page.run(`addEventListener('click', () => open(${JSON.stringify(second.url)}))`);
      const viewer = await watch(session);
      await viewer.page.mouse.click(300, 300);
      await second.loaded();
      assert.match(String(second.headers['user-agent']), /Android/);
      assert.equal(second.headers['sec-ch-ua-mobile'], '?1');
      await viewer.close();
    });
  });
});

// Proves: hide_cursor
test('hide_cursor never shows the system pointer', async ({ watch }) => {
  await within(SWISS, async (_page, session) => {
    const viewer = await watch(session);
    await viewer.page.mouse.move(200, 200);
    await viewer.atRest();
    assert.equal(await viewer.cursor(), 'none');
    await viewer.close();
  });
});
