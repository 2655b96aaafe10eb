import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import '../../../src/element/playing/playing-views.js';
import '../../../src/element/files/file-link.js';
import { nextEvent } from './events.js';
import type { FakeNetwork } from './fake-web-socket.js';

/** Adds an element to the page and connects it to a session of the network. */
export async function connectElement(
  network: FakeNetwork,
  element: CloudBrowserElement = document.createElement('cloud-browser'),
): Promise<CloudBrowserElement> {
  const opened = network.opened();
  element.embedUrl = 'https://host.example/a?token=t';
  document.body.append(element);
  const connected = nextEvent(element, 'connect');
  (await opened).welcome();
  await connected;
  await settled(element);
  return element;
}

/** The element's lazily loaded parts are available, because this file has loaded them before. */
export async function settled(element: CloudBrowserElement): Promise<void> {
  await element.connect();
  await element.updateComplete;
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
  await element.updateComplete;
}
