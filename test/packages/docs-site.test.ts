import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { assertAccessible } from '../e2e/support/axe.js';
import { LAUNCH_OPTIONS } from '../e2e/support/launch-options.js';
import { createTestService, type TestService } from '../fakes/test-service.js';
import { ROOT } from './support.js';

const SITE = `${ROOT}.build/docs`;
/** One page of each kind, or all pages with `EVERY_LOOK`. */
const pages = () => (process.env['EVERY_LOOK'] === undefined ? EXAMPLES : allPages());
const EXAMPLES = [
  '',
  'start/',
  'start/react.html',
  'embedding.html',
  'troubleshooting.html',
  'reference/errors.html',
  'reference/rest-sessions.html',
  'reference/sdk/cloud-browser/element/classes/CloudBrowserElement.html',
];
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

/** Search words, and the page that should come first. */
const SEARCHES: readonly (readonly [words: string, page: RegExp])[] = [
  ['migrate', /^migration/],
  ['hyperbeam', /^migration/],
  ['migrate from hyperbeam', /^migration/],
  ['translate', /^recipes\/translation/],
  ['translation', /^recipes\/translation/],
  ['i18n', /^recipes\/translation/],
  ['screenshot', /^recipes\/screenshot/],
  ['take a screenshot', /^recipes\/screenshot/],
  ['record', /^recipes\/record/],
  ['recording', /^(recording|recipes\/record)/],
  ['record video', /^recipes\/record/],
  ['change size', /^recipes\/size/],
  ['resize', /^recipes\/size/],
  ['responsive', /^recipes\/size/],
  ['loading', /^recipes\/loading/],
  ['spinner', /^recipes\/loading/],
  ['react', /^start\/react/],
  ['vue', /^start\/vue/],
  ['svelte', /^start\/svelte/],
  ['express', /^start\/express/],
  ['quick start', /^start\/(index\.html|$|#)/],
  ['angular', /^start\/angular/],
  ['next', /^start\/next/],
  ['nextjs', /^start\/next/],
  ['app router', /^start\/next/],
  ['nuxt', /^start\/nuxt/],
  ['sveltekit', /^start\/sveltekit/],
  ['astro', /^start\/astro/],
  ['ssr', /^start\/server-rendering/],
  ['iframe', /^embedding/],
  ['mobile', /^touch/],
  ['upload', /^files/],
  ['permissions', /^users/],
  ['docker', /^operating/],
  ['agent', /^start\/agents/],
  ['benchmark', /^benchmarks/],
  ['black screen', /^troubleshooting/],
];

describe('the documentation site', () => {
  let service: TestService;
  let browser: Browser;
  let site: string;
  before(async () => {
    // The build also finds broken links.
    await promisify(execFile)(process.execPath, [`${ROOT}scripts/docs.mjs`], { encoding: 'utf8' });
    service = await createTestService({ docs: SITE });
    site = `${await service.app.listen({ host: '127.0.0.1', port: 0 })}/docs/`;
    browser = await chromium.launch(LAUNCH_OPTIONS);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** Opens a page. Resolves to its problems: messages of the console, and requests that left the service. */
  async function open(path: string, look: (typeof LOOKS)[number] = LOOKS[0]) {
    const page = await browser.newPage(look);
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(site) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(site + path, { waitUntil: 'networkidle' });
    return { page, problems };
  }

  for (const look of LOOKS)
    it(`passes the accessibility checker, ${look.colorScheme}, ${look.viewport.width} wide`, async () => {
      const found: string[] = [];
      for (const path of pages()) {
        const { page, problems } = await open(path, look);
        await assertAccessible(page, path).catch((error: unknown) => problems.push(String(error)));
        if ((await widthOf(page)) > look.viewport.width) problems.push('is too wide');
        found.push(...problems.map((problem) => `${path}: ${problem}`));
        await page.close();
      }
      assert.deepEqual(found, []);
    });

  it('finds a word without a request to another host', async () => {
    const { page, problems } = await open('');
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('#localsearch-input').fill('err_exceeded_vm_limit');
    const found = page.locator('#localsearch-list a').first();
    await found.waitFor();
    assert.match((await found.getAttribute('href')) ?? '', /err_exceeded_vm_limit$/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('lists the right page first for common searches', async () => {
    const { page, problems } = await open('');
    await page.getByRole('button', { name: 'Search' }).first().click();
    const input = page.locator('#localsearch-input');
    const first = page.locator('#localsearch-list a').first();
    const wrong: string[] = [];
    for (const [words, expected] of SEARCHES) {
      await input.fill('qxqxqxqxqx');
      await page.locator('.no-results').waitFor();
      await input.fill(words);
      await first.waitFor();
      const path = ((await first.getAttribute('href')) ?? '').replace('/docs/', '');
      if (!expected.test(path)) wrong.push(`${words}: ${path}`);
    }
    assert.deepEqual([...wrong, ...problems], []);
    await page.close();
  });

  it('links from its first page to the troubleshooting page', async () => {
    const { page } = await open('');
    await page.getByRole('link', { name: 'Solve a problem' }).click();
    await page.waitForURL(`${site}troubleshooting.html`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.close();
  });
});

/** Paths of all pages of the built site. */
const allPages = () =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
