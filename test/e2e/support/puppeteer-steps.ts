import type { Browser, Page } from 'puppeteer-core';

const kindOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString('latin1');
const textOf = (page: Page, selector: string) => page.$eval(selector, (node) => node.textContent);

/** Downloads a file by a function that begins it. Resolves to what `uploadFile` takes for this file. */
export type Download = (page: Page, begin: () => Promise<void>) => Promise<string>;

/** Performs steps of Puppeteer. Returns what each step found. */
export async function puppeteerSteps(browser: Browser, url: string, download: Download): Promise<unknown[]> {
  const found: unknown[] = [];
  const note = (value: unknown) => void found.push(value);
  const [page = await browser.newPage()] = await browser.pages();
  const said = () => textOf(page, '#said');
  note((await page.goto(url))?.status());
  note(await page.title());
  note(await textOf(page, 'h1'));
  await page.click('#press');
  note(await textOf(page, '#press'));
  await page.type('[name=name]', 'Löwe');
  await page.locator('[name=name]').fill('Ada');
  await page.focus('[name=name]');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  note(await page.$eval('[name=name]', (field) => (field as { value?: string }).value));
  note(await page.select('[name=size]', 'large'));
  await page.locator('[name=gift]').click();
  note(await page.$eval('[name=gift]', (field) => (field as { checked?: boolean }).checked));
  await page.click('#late');
  await page.waitForFunction("document.querySelector('#said').textContent === 'late'");
  note(await said());
  await page.hover('#hover');
  note(await said());
  await page.focus('#keys');
  await page.keyboard.down('Shift');
  await page.keyboard.press('A');
  await page.keyboard.up('Shift');
  note(await said());
  page.once('dialog', (dialog) => void dialog.accept());
  await page.click('#ask');
  note(await said());
  const frame = page.frames().find((one) => one.url().endsWith('/frame'));
  await frame?.click('button');
  note(await frame?.$eval('button', (node) => node.textContent));
  const file = await download(page, () => page.click('#download'));
  const field = await page.$('input[type=file]');
  await field?.toElement('input').then((input) => input.uploadFile(file));
  await page.waitForFunction("document.querySelector('#said').textContent.includes('report.txt')");
  note(await said());
  const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve));
  await page.click('#popup');
  const popup = await opened;
  await popup?.waitForSelector('p');
  note(await popup?.title());
  await popup?.close();
  note((await browser.pages()).length);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const mine = request.url().endsWith('/two');
    void (mine
      ? request.respond({ contentType: 'text/html', body: '<title>Mine</title>' })
      : request.continue());
  });
  await page.goto(`${url}/two`);
  note(await page.title());
  page.removeAllListeners('request');
  await page.setRequestInterception(false);
  await page.reload();
  note(await page.title());
  await page.goto(url);
  await page.goBack();
  note(await page.title());
  await page.goForward();
  note(await page.title());
  note(kindOf(await page.screenshot()));
  note(kindOf((await (await page.$('#press'))?.screenshot()) ?? new Uint8Array()));
  note(kindOf(await page.pdf()));
  const second = await browser.newPage();
  await second.goto(url);
  await second.click('#press');
  note([await textOf(second, '#press'), (await browser.pages()).length]);
  await second.close();
  await browser.setCookie({ name: 'a', value: 'b', domain: new URL(url).hostname });
  note(await page.evaluate('document.cookie'));
  note(await page.evaluate('[1, { a: null }]'));
  await page.evaluateOnNewDocument('globalThis.added = 5');
  await page.reload();
  note(await page.evaluate('added'));
  await page.exposeFunction('twice', (value: number) => value * 2);
  note(await page.evaluate('twice(21)'));
  const message = new Promise<string>((resolve) => page.once('console', (said) => resolve(said.text())));
  await page.evaluate('console.log("hi")');
  note(await message);
  const tree = await page.accessibility.snapshot();
  note(tree?.children?.find(({ role }) => role === 'heading')?.name);
  note(
    await page.goto('file:///etc/hostname').then(
      () => 'opened',
      () => 'refused',
    ),
  );
  await page.goto(url);
  await page.type('[name=name]', 'Ada');
  await Promise.all([page.waitForNavigation(), page.click('form button')]);
  note(await textOf(page, '#got'));
  return found;
}
