import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { speakWithParent } from '../../../src/embed/parent-frame.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

describe('the messages of the page around an embed page', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let frame: HTMLIFrameElement;
  let parent: Window;

  beforeEach(() => {
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
    frame = document.createElement('iframe');
    document.body.append(frame);
    ok(frame.contentWindow);
    parent = frame.contentWindow;
  });

  afterEach(() => {
    element.remove();
    frame.remove();
    network.restore();
  });

  const say = (type: string, data?: unknown) =>
    window.dispatchEvent(new MessageEvent('message', { source: parent, data: { type, data } }));

  /** Starts to listen. The embed page waits for the user data of the page around it. */
  async function listen(): Promise<void> {
    const ready = speakWithParent(element, parent);
    say('webhook_auth', { webhookUserdata: 'ticket' });
    await ready;
  }

  it('apply before the element connects, and to every later viewer', async () => {
    const listening = listen();
    say('delegate_keyboard', false);
    say('admin_token', 'secret');
    say('disable_input', true);
    await listening;
    await connectElement(network, element);
    const first = element.viewer;
    equal([first?.keyboard, first?.viewOnly, element.client?.remote.adminToken], ['none', true, 'secret']);
    equal(network.host.last.of('hello')[0]?.userdata, 'ticket');
    element.remove();
    await Promise.resolve();
    const opened = network.opened();
    document.body.append(element);
    (await opened).welcome();
    await element.connect();
    ok(element.viewer && element.viewer !== first);
    equal(element.viewer.keyboard, 'none');
  });

  it('apply to the current viewer', async () => {
    await listen();
    await connectElement(network, element);
    say('delegate_keyboard', false);
    say('admin_token', 'secret');
    await element.updateComplete;
    equal([element.viewer?.keyboard, element.client?.remote.adminToken], ['none', 'secret']);
    say('delegate_keyboard', true);
    say('admin_token');
    await element.updateComplete;
    equal([element.viewer?.keyboard, element.client?.remote.adminToken], ['surface', undefined]);
  });
});
