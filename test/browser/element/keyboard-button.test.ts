import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { SessionUser } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { connectElement, settled } from '../support/connected-element.js';
import { FakeNetwork } from '../support/fake-web-socket.js';

const matchMedia = window.matchMedia.bind(window);
const VIEWER: SessionUser = {
  ...{ id: 'user-1', kind: 'person', roles: [], controlling: false },
  permissions: { priority: 0, idle_timeout: 0, control_disabled: true },
  connectedAt: '2030-01-01T00:00:00.000Z',
};
const ALLOWED: SessionUser = {
  ...{ ...VIEWER, roles: ['control'] },
  permissions: { ...VIEWER.permissions, control_disabled: false },
};

describe('the keyboard button of <cloud-browser> on a touch device', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(async () => {
    window.matchMedia = (query) => matchMedia(query.includes('coarse') ? 'all' : query);
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
    element.keyboardButton = true;
    await connectElement(network, element);
  });

  afterEach(() => {
    element.remove();
    network.restore();
    window.matchMedia = matchMedia;
  });

  async function isShown(): Promise<boolean> {
    await settled(element);
    return Boolean(element.shadowRoot?.querySelector('[part=keyboard]'));
  }

  /** Answers the element's question about its user. */
  function answer(user: SessionUser): void {
    const question = network.host.last.of('call').find(({ method }) => method === 'users.me');
    ok(question, 'The element did not ask.');
    network.host.last.send({ type: 'answer', id: question.id, result: user });
  }

  const change = (user: SessionUser) =>
    network.host.last.send({ type: 'event', name: 'users.onChanged', args: [user] });

  it('is hidden from a user who cannot have control', async () => {
    equal(await isShown(), true);
    answer(VIEWER);
    equal(await isShown(), false);
  });

  it('is not needed: a button of the page opens no keyboard for a user who cannot have control', async () => {
    element.keyboardButton = false;
    await settled(element);
    element.showKeyboard();
    equal(element.viewer?.keyboardOpen, true);
    element.viewer?.hideKeyboard();
    answer(VIEWER);
    await settled(element);
    element.showKeyboard();
    equal(element.viewer?.keyboardOpen, false);
    change(ALLOWED);
    element.showKeyboard();
    equal(element.viewer?.keyboardOpen, true);
  });

  it('stays for a user who can have control, while another user has it', async () => {
    answer(ALLOWED);
    equal(await isShown(), true);
  });

  it('follows the changes of its own user', async () => {
    answer(VIEWER);
    change({ ...ALLOWED, id: 'user-2' });
    equal(await isShown(), false);
    change(ALLOWED);
    equal(await isShown(), true);
    change(VIEWER);
    equal(await isShown(), false);
    change({ ...VIEWER, controlling: true });
    equal(await isShown(), true);
  });

  it('asks again after a reconnect', async () => {
    answer(VIEWER);
    equal(await isShown(), false);
    const opened = network.opened();
    const connected = element.reconnect();
    (await opened).welcome();
    await connected;
    answer(ALLOWED);
    equal(await isShown(), true);
  });
});
