import type { Browser } from '@playwright/test';
import { expect } from '@playwright/test';
import { AnsweringServer } from '../support/answering-server.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();

/** An address that opens no session, so the page shows its message at once. */
const strange = (url: string) => url.replace(/token=[^&]*/, 'token=x');

/** Returns the words of an embed page in a browser of this language. */
async function read(browser: Browser, address: string, locale: string) {
  const page = await browser.newPage({ locale });
  await page.goto(address);
  await page.locator('[part~=step]').first().waitFor();
  const html = page.locator('html');
  const title = page.locator('.title');
  return { page, html, title };
}

test('the embed page uses the language of its address, or else of its viewer', async ({
  service,
  browser,
}) => {
  const address = strange((await service.create({})).embed_url);
  for (const [query, locale, lang, words] of [
    ['', 'de-AT', 'de-AT', 'Kein Zugang'],
    ['', 'fr-FR', 'en', 'No access'],
    ['&lang=de', 'en-US', 'de', 'Kein Zugang'],
    ['&lang=en', 'de-DE', 'en', 'No access'],
  ] as const) {
    const { page, html, title } = await read(browser, address + query, locale);
    await expect(title).toHaveText(words);
    await expect(html).toHaveAttribute('lang', lang);
    await expect(html).toHaveAttribute('dir', 'ltr');
    await page.close();
  }
});

test('the one-line script uses the language of the page, including one that the page adds', async ({
  service,
  browser,
}) => {
  const address = strange((await service.create({})).embed_url);
  const shop = await AnsweringServer.start((request, response) => {
    const french = request.url === '/fr.js';
    response.writeHead(200, { 'content-type': french ? 'text/javascript' : 'text/html' });
    response.end(
      french
        ? `import { addTranslation } from '${service.url}/element.js';
           addTranslation('fr', { 'unauthorized.title': 'Accès refusé' });`
        : `<!doctype html><html lang="de"><title>Shop</title>
           <script type="module" src="${service.url}/element.js"></script>
           <script type="module" src="/fr.js"></script>
           <cloud-browser embed-url="${address}"></cloud-browser>`,
    );
  });
  const page = await browser.newPage();
  await page.goto(shop.url);
  const title = page.locator('.title');
  await expect(title).toHaveText('Kein Zugang');
  for (const [lang, words] of [
    ['fr-CA', 'Accès refusé'],
    ['en', 'No access'],
    ['de-CH', 'Kein Zugang'],
  ] as const) {
    await page.evaluate(`document.documentElement.lang = '${lang}'`);
    await expect(title).toHaveText(words);
  }
  await page.close();
});
