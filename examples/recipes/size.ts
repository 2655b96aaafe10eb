import type { CloudBrowserElement } from 'cloud-browser/element';

/**
 * Changes the size of the remote screen, in CSS pixels of the remote page. All users of the session see the
 * new size.
 */
export async function changeSize(browser: CloudBrowserElement, width: number, height: number): Promise<void> {
  // The screen now keeps this size and does not follow the element.
  browser.resizeMode = 'none';
  await browser.client?.resize(width, height);
}

/**
 * Makes the remote screen follow the element, which fills its container. It also adapts to rotation and full
 * screen.
 */
export function fillPlace(browser: CloudBrowserElement): void {
  browser.style.width = '100%';
  browser.style.aspectRatio = 'auto';
  browser.style.height = '70vh';
  browser.resizeMode = 'auto';
}
