import type { CloudBrowserElement } from '../../src/element/define.js';
import type { CloudBrowserClient } from '../../src/index.js';
import { make } from '../dom.js';
import type { Name } from './names.js';

/** Shows the pointers of other users over a viewer, if its user may see them. */
export class PeerPointers {
  readonly #arrows = new Map<string, HTMLElement>();
  readonly #layer = make('div', 'peers');

  constructor(
    private readonly browser: CloudBrowserElement,
    private readonly nameOf: (userId: string) => Name,
  ) {
    this.#layer.slot = 'overlay';
    browser.append(this.#layer);
  }

  /** Starts listening. The subscriptions last as long as the client. */
  async follow({ users }: CloudBrowserClient): Promise<void> {
    await users.on('pointer', ({ userId, x, y }) => this.#show(userId, x, y));
    await users.on('pointerLeft', (userId) => this.#hide(userId));
  }

  /** Removes all pointers. */
  clear(): void {
    for (const userId of this.#arrows.keys()) this.#hide(userId);
  }

  #show(userId: string, x: number, y: number): void {
    const { viewer } = this.browser;
    if (!viewer) return;
    const place = viewer.toContainer(x, y);
    const arrow = this.#arrows.get(userId) ?? this.#make(userId);
    arrow.style.translate = `${place.x}px ${place.y}px`;
  }

  #make(userId: string): HTMLElement {
    const { text, colour } = this.nameOf(userId);
    const arrow = make('div', 'peer', make('span', 'peer-name', text));
    arrow.dataset['colour'] = String(colour);
    this.#arrows.set(userId, arrow);
    this.#layer.append(arrow);
    return arrow;
  }

  #hide(userId: string): void {
    this.#arrows.get(userId)?.remove();
    this.#arrows.delete(userId);
  }
}
