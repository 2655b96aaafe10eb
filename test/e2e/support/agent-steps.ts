import type { BrowserContext } from '@playwright/test';

const kindOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString('latin1');

/** Performs steps of Playwright in a browser's default context. Returns what each step found. */
export async function playwrightSteps(context: BrowserContext, url: string): Promise<unknown[]> {
  const found: unknown[] = [];
  const page = context.pages()[0] ?? (await context.newPage());
  const said = () => page.locator('#said').textContent();
  const note = (value: unknown) => void found.push(value);
  note((await page.goto(url))?.status());
  note(await page.title());
  note(await page.getByRole('heading').textContent());
  await page.getByRole('button', { name: 'Press' }).click();
  note(await page.locator('#press').textContent());
  await page.getByLabel('Name').fill('Ada');
  note(await page.getByLabel('Name').inputValue());
  await page.getByLabel('Name').press('End');
  await page.getByLabel('Name').pressSequentially(' Löwe');
  note(await page.getByLabel('Name').inputValue());
  note(await page.getByLabel('Size').selectOption('large'));
  await page.getByLabel('Gift').check();
  note(await page.getByLabel('Gift').isChecked());
  await page.locator('#late').click();
  await page.locator('#said', { hasText: 'late' }).waitFor();
  note(await said());
  await page.locator('#hover').hover();
  note(await said());
  await page.locator('#keys').focus();
  await page.keyboard.down('Shift');
  await page.keyboard.press('A');
  await page.keyboard.up('Shift');
  note(await said());
  page.once('dialog', (dialog) => void dialog.accept());
  await page.locator('#ask').click();
  note(await said());
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.locator('#ask').click();
  note(await said());
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('content') };
  await page.locator('#file').setInputFiles(file);
  await page.locator('#said', { hasText: 'a.txt' }).waitFor();
  note(await said());
  const framed = page.frameLocator('iframe').getByRole('button');
  await framed.click();
  note(await framed.textContent());
  note(page.frames().length);
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator('#popup').click()]);
  await popup.waitForLoadState();
  note(await popup.title());
  await popup.close();
  note(context.pages().length);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download').click()]);
  note(download.suggestedFilename());
  note(await download.failure());
  await page.route('**/two', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Mine</title>' }),
  );
  await page.goto(`${url}/two`);
  note(await page.title());
  await page.unroute('**/two');
  await page.reload();
  note(await page.title());
  await page.goto(url);
  note(await page.title());
  note((await page.goBack())?.url() ?? page.url());
  note([await page.title(), await page.evaluate('1 + 1')]);
  await page.goForward();
  note([await page.title(), page.frames().length, await framed.textContent()]);
  note(kindOf(await page.screenshot()));
  note(kindOf(await page.locator('#press').screenshot()));
  note(kindOf(await page.pdf()));
  const second = await context.newPage();
  await second.goto(url);
  note(context.pages().length);
  await page.locator('#press').click();
  await second.locator('#press').click();
  note([await page.locator('#press').textContent(), await second.locator('#press').textContent()]);
  await second.close();
  await context.addCookies([{ name: 'a', value: 'b', url }]);
  note(await page.evaluate(() => document.cookie));
  note(await page.evaluate(() => [1, { a: null }]));
  await page.addInitScript('globalThis.added = 5');
  await page.reload();
  note(await page.evaluate('added'));
  await page.exposeFunction('twice', (value: number) => value * 2);
  note(await page.evaluate('twice(21)'));
  note(await page.locator('button').count());
  note(await page.getByText('Order').isVisible());
  const [message] = await Promise.all([page.waitForEvent('console'), page.evaluate('console.log("hi")')]);
  note(message.text());
  note(
    await page.goto('file:///etc/hostname').then(
      () => 'opened',
      () => 'refused',
    ),
  );
  await page.goto(url);
  await page.getByLabel('Name').fill('Ada');
  const [request] = await Promise.all([
    page.waitForRequest('**/done*'),
    page.getByRole('button', { name: 'Send' }).click(),
  ]);
  note(request.method());
  await page.waitForURL('**/done*');
  note(await page.locator('#got').textContent());
  return found;
}
