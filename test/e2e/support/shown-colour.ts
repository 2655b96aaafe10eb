import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';

/** The background of the hosted page `marker`. */
const BLUE = [20, 120, 220] as const;
/** Video is not exact. */
const TOLERANCE = 12;

/**
 * Resolves to true if the middle of the page's session picture has the background of the hosted page
 * `marker`.
 */
export async function showsMarker(page: Page): Promise<boolean> {
  const picture = await page.locator('cloud-browser, iframe, canvas').first().screenshot();
  const { data, width, height } = PNG.sync.read(picture);
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return BLUE.every((part, index) => Math.abs(part - (data[at + index] ?? -1)) <= TOLERANCE);
}

/** Collects errors of a page's console and scripts as they come. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
