import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Display } from '../bench/display.js';
import type { HostedPage } from '../e2e/support/hosted-page.js';
import { PageServer } from '../e2e/support/page-server.js';
import { Service, type Session } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { BROWSERS } from './support/browsers.js';
import { CustomerSite } from './support/customer-site.js';
import type { Guest } from './support/guest.js';
import { placeOf } from './support/shown.js';

const SIZE = { width: 800, height: 600 };
/** Places of `clipboard.html`. */
const [AREA, SOURCE] = [
  [100, 50],
  [30, 275],
] as const;

/** Browsers in which a copy needs no further click, as `docs/embedding.md` says. */
const AT_ONCE: Record<string, boolean> = { Chromium: true, 'Firefox ESR': true, WebKitGTK: false };

const steps: (() => unknown)[] = [];
const end = (step: () => unknown) => void steps.push(step);
let env: Record<string, string>;
let site: CustomerSite;
let remote: HostedPage;
let session: Session;

/** A field of the page around the picture, which then has the keyboard focus. */
const local = (guest: Guest, text: string) =>
  guest.run(`const field = document.querySelector('#local')
      ?? document.body.appendChild(Object.assign(document.createElement('textarea'), { id: 'local' }));
    field.style = 'position: fixed; left: 850px; top: 10px';
    field.value = ${JSON.stringify(text)};
    field.focus();
    field.select();`);

async function click(guest: Guest, at: readonly [number, number]): Promise<void> {
  const clicks = Number(remote.state['clicks'] ?? 0);
  await guest.click(...(await placeOf(guest, ...at)));
  await remote.until('the page has the click', (state) => Number(state['clicks'] ?? 0) > clicks);
}

describe('the clipboard', () => {
  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-clipboards-'));
    end(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const display = await Display.start(directory);
    end(() => display.stop());
    env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: directory, DISPLAY: `:${display.number}` };
    site = await CustomerSite.start();
    end(() => site.stop());
    remote = (await PageServer.start(end)).page('clipboard');
    const service = await Service.start({}, end);
    const default_roles = ['control', 'clipboard_copy'];
    session = await service.create({ start_url: remote.url, ...SIZE, kiosk: true, default_roles });
    await remote.fills(SIZE);
  });
  after(async () => {
    for (const step of steps.splice(0).reverse()) await step();
  });

  for (const [name, { open }] of Object.entries(BROWSERS))
    describe(`of ${name}`, () => {
      let guest: Guest;
      before(async () => {
        guest = await open(env);
        await guest.goto(site.elementPage(session.embed_url));
        await placeOf(guest, ...AREA);
      });
      after(() => guest.close());

      it('sends the local clipboard as a paste of the page', async () => {
        await remote.run('area.value = ""');
        await local(guest, `copied in ${name}`);
        await guest.pressControl('c');
        await click(guest, AREA);
        await guest.pressControl('v');
        await remote.until('the field has it', (state) => state['area'] === `copied in ${name}`);
        assert.deepEqual((remote.state['paste'] as { types: string[] }).types, ['text/plain']);
      });

      it(`receives a remote copy, ${AT_ONCE[name] ? 'at once' : 'with one more click at most'}`, async (test) => {
        await click(guest, SOURCE);
        await remote.run('getSelection().selectAllChildren(source)');
        await guest.run(`window.states = [];
          document.querySelector('cloud-browser').addEventListener('copystatechange', ({ state }) => window.states.push(state));`);
        await guest.pressControl('c');
        const states = () => guest.run('return window.states;') as Promise<string[]>;
        await until('the browser has copied, or wants a click', async () =>
          (await states()).some((state) => state === 'copied' || state === 'waiting'),
        );
        if ((await states()).includes('waiting') && !AT_ONCE[name]) await click(guest, AREA);
        await until('it is copied', async () => (await states()).includes('copied'));
        test.diagnostic((await states()).join(' '));
        if (AT_ONCE[name]) assert.deepEqual(await states(), ['copied']);
        await local(guest, '');
        await guest.pressControl('v');
        await until('it is here', () =>
          guest.run(`return document.querySelector('#local').value === 'Plain, bold and slanted';`),
        );
      });
    });
});
