import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { demoAddress, demoService, SCREENSHOTS } from '../support/demo-service.js';
import { PHONE_OPTIONS } from '../support/phones.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();

let service: Service;
test.beforeAll(async () => {
  service = await demoService();
});

/** Starts the demo's agent. */
async function watch(page: Page): Promise<void> {
  await page.goto(demoAddress(service));
  await page.getByRole('button', { name: 'Watch an agent' }).click();
  await new Viewer(page).playing();
}

const states = (page: Page) =>
  page.locator('.agent-step').evaluateAll((steps) => steps.map((step) => step.getAttribute('data-state')));

for (const [name, options] of [
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', PHONE_OPTIONS],
] as const)
  test(`the demo's agent asks a visitor with a ${name} to sign in, and goes on`, async ({ browser }) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await watch(page);
    await page.locator('.agent-step:nth-child(2)[data-state=running]').waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}demo-agent-${name}-works.png` });
    const done = page.getByRole('button', { name: 'Done' });
    await done.waitFor();
    // The dialog is the viewer's; the agent's server tells the list of steps by itself.
    await page.locator('.agent-step:nth-child(3)[data-state=asking]').waitFor();
    assert.deepEqual(await states(page), ['done', 'done', 'asking', 'next']);
    await page.screenshot({ path: `${SCREENSHOTS}demo-agent-${name}-asks.png` });
    const screen = page.locator('cloud-browser');
    await screen.click({ position: { x: 12, y: 12 } });
    for (const text of ['ada@example.com', 'secret']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await done.click();
    await page.locator('.agent-step[data-state=done]').nth(3).waitFor();
    await page.locator('.agent-hint', { hasText: 'has finished' }).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}demo-agent-${name}-done.png` });
    await page.locator('[data-action=end]').click();
    await page.locator('[data-notice=ended]').waitFor();
    assert.equal(await page.locator('.agent-card').isVisible(), false);
    await context.close();
  });

test("the demo's agent stops when nobody signs in", async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await watch(page);
  await page.getByRole('button', { name: 'I can’t' }).click();
  await page.locator('.agent-hint', { hasText: 'the agent has stopped' }).waitFor();
  assert.deepEqual(await states(page), ['done', 'done', 'failed', 'next']);
  await page.close();
});
