import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { equal } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';
import { HeldTimers } from '../support/held-timers.js';

const FORBIDDEN_MS = 60_000;

describe('a copy in <cloud-browser> by a user who may not copy', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let states: (string | undefined)[];
  beforeEach(async () => {
    network = new FakeNetwork();
    element = await connectElement(network);
    states = [];
    element.addEventListener('copystatechange', ({ state }) => states.push(state));
  });
  afterEach(() => {
    element.remove();
    network.restore();
    document.documentElement.lang = '';
  });

  const message = () => element.shadowRoot?.querySelector('[part=copy] span')?.textContent;
  const copy = () => {
    const args = [{ types: [], allowed: false }];
    network.host.last.send({ type: 'event', name: 'clipboard.onCopied', args });
  };

  /** Resolves when the message is shown. The test's own timeout ends the wait. */
  async function shows(text: string): Promise<void> {
    while (message() !== text) await new Promise((resolve) => requestAnimationFrame(resolve));
  }

  it('shows that it is not allowed, until the user dismisses this', async () => {
    copy();
    equal(states, ['failed']);
    await shows('You may not copy out of this browser. Ask the host of the session.');
    element.shadowRoot?.querySelector<HTMLElement>('[part=dismiss-button]')?.click();
    equal(states, ['failed', undefined]);
  });

  it('hides this when the user presses Escape, in the picture and on the message', async () => {
    const root = element.shadowRoot;
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true });
    const targets = [
      () => root?.querySelector('textarea'),
      () => root?.querySelector('[part=dismiss-button]'),
    ];
    for (const target of targets) {
      const timers = new HeldTimers(FORBIDDEN_MS);
      copy();
      await shows('You may not copy out of this browser. Ask the host of the session.');
      target()?.dispatchEvent(escape);
      timers.run(FORBIDDEN_MS);
      timers.restore();
    }
    equal(states, ['failed', undefined, 'failed', undefined]);
  });

  it('shows this once a minute, because the user may copy within the remote browser', async () => {
    const timers = new HeldTimers(FORBIDDEN_MS);
    try {
      copy();
      await shows('You may not copy out of this browser. Ask the host of the session.');
      copy();
      equal(states, ['failed'], 'the message stays');
      element.shadowRoot?.querySelector<HTMLElement>('[part=dismiss-button]')?.click();
      copy();
      equal(states, ['failed', undefined]);
      timers.run(FORBIDDEN_MS);
      copy();
      equal(states, ['failed', undefined, 'failed']);
    } finally {
      timers.restore();
    }
  });

  it('shows this in the language of the page', async () => {
    document.documentElement.lang = 'de';
    copy();
    equal(states, ['failed']);
    await shows('Aus diesem Browser darf hier nicht kopiert werden. Bitte bei der Leitung nachfragen.');
  });

  it('shows nothing if the page handles the copy itself', async () => {
    let allowed: boolean | undefined;
    element.addEventListener('remotecopy', (event) => {
      ({ allowed } = event);
      event.preventDefault();
    });
    copy();
    await element.updateComplete;
    equal([allowed, states, message()], [false, [], undefined]);
  });
});
