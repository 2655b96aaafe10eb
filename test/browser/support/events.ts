import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { CloudBrowserEventMap } from '../../../src/element/events.js';

/** The next event of this type. */
export function nextEvent<Type extends keyof CloudBrowserEventMap>(
  element: CloudBrowserElement,
  type: Type,
): Promise<CloudBrowserEventMap[Type]> {
  return new Promise((resolve) => element.addEventListener(type, resolve, { once: true }));
}
