import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { run } from 'axe-core';

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asserts that the accessibility checker axe finds no fault in the current state of a page. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(SCRIPT);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: typeof run } };
    const { violations } = await axe.run(document);
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
    );
  });
  assert.deepEqual(found, [], what);
}

/** Asserts that no part of a page is beside the screen. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(over <= 0, `${what}: ${over} pixels are beside the screen`);
}
