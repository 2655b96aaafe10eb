import { until } from './until.js';
import type { Viewer } from './viewer.js';

/** Milliseconds for the page to open. The address is then typed, or the suggestion chosen, once more. */
const ADDRESS_LIMIT_MS = 8_000;
const SUGGESTION_LIMIT_MS = 1_500;

/** Distance of the address bar from the top of the screen, in pixels. */
const ADDRESS_BAR_Y = 62;

/**
 * Types into the hosted browser's address bar, as a user of the viewer does. A click in the page and then one
 * in the bar usually select its text. Control+A selects the text also when the click only moved the focus.
 * Control+L would do both, but goes to the page first, so keys of the next milliseconds would still go to the
 * page.
 */
export async function typeAddress(viewer: Viewer, text: string): Promise<void> {
  const { width, height } = await viewer.size();
  const { mouse, keyboard } = viewer.page;
  for (const y of [height * 0.7, ADDRESS_BAR_Y]) {
    const at = await viewer.at(width / 2, y);
    await mouse.click(at.x, at.y);
  }
  await keyboard.press('Control+a');
  await keyboard.type(text);
}

/**
 * Types an address or search words until the page has `opened`, because keys may be lost while another page
 * loads.
 */
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
