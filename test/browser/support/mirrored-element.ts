import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { AccessibilityUpdate } from '../../../src/protocol/index.js';
import { connectElement } from './connected-element.js';
import { FakeNetwork } from './fake-web-socket.js';

/** An element that mirrors the remote page of a session on a fake network. Call {@link close} in the end. */
export class MirroredElement {
  private constructor(
    private readonly network: FakeNetwork,
    readonly element: CloudBrowserElement,
  ) {}

  static async connect(): Promise<MirroredElement> {
    const network = new FakeNetwork();
    const element = document.createElement('cloud-browser');
    element.accessibility = 'mirror';
    await connectElement(network, element);
    return new MirroredElement(network, element);
  }

  /** Where the mirror is. */
  get mirror(): HTMLElement | null {
    return this.element.shadowRoot?.querySelector<HTMLElement>('.mirror') ?? null;
  }

  /** Sends an update of the page's accessibility tree, as the session does. */
  tell(fields: Partial<AccessibilityUpdate>): void {
    this.network.host.last.send({
      type: 'event',
      name: 'accessibility.onUpdate',
      args: [{ state: 'complete', root: 1, focus: null, nodes: [], removed: [], ...fields }],
    });
  }

  /** The kinds of the requested actions, in order. */
  get acts(): unknown[] {
    const calls = this.network.host.last.of('call');
    return calls.flatMap(({ method, args }) => (method === 'accessibility.act' ? [args[1]] : []));
  }

  /** The number of key events that the element has sent. */
  get keys(): number {
    return this.network.host.last.inputs.filter(({ type }) => type === 'key').length;
  }

  /** Reports all requested actions as done. */
  answerActs(): void {
    const { last } = this.network.host;
    for (const { id, method } of last.of('call'))
      if (method === 'accessibility.act') last.send({ type: 'answer', id });
  }

  close(): void {
    this.element.remove();
    this.network.restore();
  }
}
