import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { hold } from '../../support/limits.js';
import { atEnd } from '../support/cleanup.js';
import { ClosedNetwork } from '../support/closed-network.js';
import { demoAddress, SCREENSHOTS } from '../support/demo-service.js';
import { PHONE_OPTIONS } from '../support/phones.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const WAIT_MS = 120_000;

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const FORM = '.session-form [type=submit]';
const PHONE_FORM = '.start-form [type=submit]';

/** Reads the metrics from within the closed network, with the key of the demo. */
async function metric(page: Page, name: string): Promise<number> {
  const text = await page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('cloud-browser-demo.key')}`;
    return (await fetch('/metrics', { headers: { authorization } })).text();
  });
  return Number(new RegExp(`^cloud_browser_${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
}

/**
 * Clicks, and resolves to the milliseconds until the session's first picture and until the welcome page's
 * colours are there.
 */
async function start(page: Page, button: string): Promise<{ first: number; welcome: number }> {
  return page.evaluate((selector) => {
    // The hero is blue. A page that is not loaded is grey or white.
    const isBlue = (canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d')!.getImageData(0, height * 0.25, width, 1);
      let blue = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at + 2]! > data[at]! + 60) blue += 1;
      return blue > width / 2;
    };
    return new Promise((resolve) => {
      const began = performance.now();
      let first = 0;
      const look = () => {
        const browser = document.querySelector<CloudBrowserElement>('cloud-browser');
        const canvas = browser?.shadowRoot?.querySelector('canvas');
        if (canvas && browser?.stats?.framesPainted) {
          first ||= performance.now() - began;
          if (isBlue(canvas)) {
            resolve({ first, welcome: performance.now() - began });
            return;
          }
        }
        requestAnimationFrame(look);
      };
      document.querySelector<HTMLElement>(selector)!.click();
      look();
    });
  }, button);
}

test.describe('a new user without the internet', { tag: ['@timing', '@alone'] }, () => {
  let browser: Browser;
  let service: Service;
  test.beforeAll(async () => {
    test.skip(process.getuid?.() !== 0, 'a network of its own takes root');
    test.setTimeout(WAIT_MS);
    await mkdir(SCREENSHOTS, { recursive: true });
    const network = await ClosedNetwork.open();
    const environment = { API_KEYS: '', EGRESS_ALLOW: '', WARM_HOSTS: '1', WARM_BROWSERS: '2' };
    const directory = await Service.makeDirectory();
    service = await Service.startIn(directory, environment, atEnd, network.through);
    browser = await network.browser();
  });

  for (const { name, path, options, form } of [
    { name: 'desktop', path: '/', options: DESKTOP, form: FORM },
    { name: 'phone', path: '/mobile', options: PHONE_OPTIONS, form: PHONE_FORM },
    { name: 'phone on the first page', path: '/', options: PHONE_OPTIONS, form: FORM },
  ])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`reaches the welcome page with one click, on a ${name} in ${colorScheme} colours`, async () => {
        test.setTimeout(WAIT_MS);
        const context = await browser.newContext({ ...options, colorScheme });
        const page = await context.newPage();
        const viewer = new Viewer(page);
        await page.goto(demoAddress(service, path));
        await page.waitForURL(`${service.url}${path}`);
        await until('the key is there', () =>
          page.evaluate(() => localStorage.getItem('cloud-browser-demo.key') !== null),
        );
        await until('two browsers wait', async () => (await metric(page, 'spares')) === 2, WAIT_MS);
        const hits = await metric(page, 'spare_hits_total');
        const { first, welcome } = await start(page, form);
        assert.equal(await metric(page, 'spare_hits_total'), hits + 1, 'its browser waited');
        hold('first picture of the demo', first);
        hold('the welcome page is in the demo', welcome);
        await viewer.playing();
        await page.screenshot({
          path: `${SCREENSHOTS}welcome-${name.replaceAll(' ', '-')}-${colorScheme}.png`,
        });
        await page.locator('[data-action=end]').click();
        await page.locator(form).waitFor();
        await context.close();
      });
});
