import { until } from './until.js';
import type { Viewer } from './viewer.js';

/** How long the page may take to open before the address is typed, or the suggestion chosen, once more. */
const ADDRESS_LIMIT_MS = 8_000;
const SUGGESTION_LIMIT_MS = 1_500;

/** Types into the hosted browser's address bar, as a person at the viewer does. */
export async function typeAddress(viewer: Viewer, text: string): Promise<void> {
  await viewer.page.mouse.click(640, 500);
  await viewer.page.keyboard.press('Control+l');
  await viewer.page.keyboard.type(text);
}

/** Types an address or search words until the page has `opened`: keys that are typed while another page loads may be lost. */
export async function openAddress(
  viewer: Viewer,
  address: string,
  opened: () => boolean | Promise<boolean>,
): Promise<void> {
  await until(`${address} opens`, async () => {
    await typeAddress(viewer, `${address}\n`);
    return until('the page opens', opened, ADDRESS_LIMIT_MS).catch(() => false);
  });
}

/** Types a page's title and takes the first suggestion, until the page has `opened`. */
export async function openBySuggestion(viewer: Viewer, title: string, opened: () => boolean): Promise<void> {
  await until(`the address bar knows "${title}"`, async () => {
    await typeAddress(viewer, title);
    await viewer.page.keyboard.press('ArrowDown');
    await viewer.page.keyboard.press('Enter');
    return until('the page opens', opened, SUGGESTION_LIMIT_MS).catch(() => false);
  });
}
