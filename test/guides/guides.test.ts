import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium, type Browser } from '@playwright/test';
import { pack } from '../../scripts/pack.mjs';
import { atEnd, endFile } from '../e2e/support/cleanup.js';
import { LAUNCH_OPTIONS } from '../e2e/support/launch-options.js';
import { PageServer } from '../e2e/support/page-server.js';
import { Service } from '../e2e/support/service.js';
import { complaintsOf, showsMarker } from '../e2e/support/shown-colour.js';
import { until } from '../e2e/support/until.js';
import { GuideApp } from './guide-app.js';
import { GUIDES } from './guides.js';

/** Only this guide, for example `GUIDE=nuxt`. */
const ONLY = process.env['GUIDE'];

/** Follows each guide in a fresh folder with the packed SDK and the npm registry. */
describe('the projects of the guides', () => {
  let place: string;
  let sdk: string;
  let service: Service;
  let browser: Browser;
  let startUrl: string;
  before(async () => {
    place = mkdtempSync(join(tmpdir(), 'cloud-browser-guides-'));
    atEnd(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
    ({ sdk } = await pack());
    service = await Service.start();
    browser = await chromium.launch(LAUNCH_OPTIONS);
    atEnd(() => browser.close());
    startUrl = (await PageServer.start()).page('marker').url;
  });
  after(endFile);

  for (const guide of GUIDES.filter(({ name }) => ONLY === undefined || name === ONLY))
    it(`builds, renders and plays: ${guide.name}`, async () => {
      const app = await GuideApp.build(join(place, guide.name), guide, sdk);
      try {
        const url = await app.start({ service, startUrl });
        const html = await (await fetch(url)).text();
        // The tag is in the server's answer with its address; a page of scripts alone has neither.
        assert.equal(/<cloud-browser[^>]*\sembed-?url="http/i.test(html), guide.rendersOnServer, html);
        const page = await browser.newPage();
        const complaints = complaintsOf(page);
        await page.goto(url);
        await until(`${guide.name} shows the hosted page`, () => showsMarker(page));
        assert.equal(await page.evaluate(() => customElements.get('cloud-browser') !== undefined), true);
        await page.locator('#state', { hasText: /^playing$/ }).waitFor();
        assert.deepEqual(complaints, []);
        await page.close();
      } finally {
        await app.remove();
      }
    });
});
