import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { nextEvent } from './events.js';
import type { FakeNetwork } from './fake-web-socket.js';

/** Puts an element into the page and connects it to a session of the network. */
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
  await element.updateComplete;
  return element;
}
