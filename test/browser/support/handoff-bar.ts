import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { Handoff } from '../../../src/protocol/index.js';
import { connectElement } from './connected-element.js';
import { FakeNetwork } from './fake-web-socket.js';

export const HANDOFF: Handoff = {
  ...{ id: 'h1', name: 'Helper', agent: 'agent-1' },
  instructions: 'Log in with your company account.\nThe code comes by mail.',
  requestedAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2030-01-01T00:10:00.000Z',
};

/** The connected element in which requests of agents appear. Each test has another one. */
export let element: CloudBrowserElement;
export let network: FakeNetwork;

beforeEach(async () => {
  network = new FakeNetwork();
  element = document.createElement('cloud-browser');
  Object.assign(element.style, { position: 'fixed', inset: '0', aspectRatio: 'auto' });
  await connectElement(network, element);
});
afterEach(() => {
  element.remove();
  network.restore();
  document.documentElement.lang = '';
});

export const shadow = (selector: string) =>
  element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;

/** Resolves when an element of the shadow tree exists. The test's own timeout ends the wait. */
export async function appears(selector: string): Promise<HTMLElement> {
  for (;;) {
    const found = shadow(selector);
    if (found) return found;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Sends open requests as soon as the bar is loaded. */
export async function ask(...open: Handoff[]): Promise<void> {
  await appears('[part=handoff]');
  network.host.last.send({ type: 'handoffs', open });
  await element.updateComplete;
}

/** Returns the arguments of the answers that the element has sent. */
export const answers = () =>
  network.host.last
    .of('call')
    .filter(({ method }) => method === 'finishHandoff')
    .map(({ args }) => args);
