import { css } from 'lit';
import type { PeerPointer } from '../../protocol/index.js';
import type { Viewer } from '../../viewer/index.js';
import { shownText } from '../lang/shown-text.js';

/** A drawn pointer, and its position as fractions of the remote screen. */
interface Arrow {
  element: HTMLElement;
  x: number;
  y: number;
}

/**
 * Draws the pointers of a session's agents (programs that use the browser) over the picture. Each pointer has
 * the name of its agent.
 */
export class AgentPointers {
  readonly #arrows = new Map<string, Arrow>();
  readonly #sizes = new ResizeObserver(() => this.#placeAll());

  /** @param layer element that covers the picture; the pointers are added to it */
  constructor(
    readonly viewer: Viewer,
    private readonly layer: HTMLElement,
  ) {
    const { remote } = viewer.client;
    // The client repeats subscriptions after a reconnect. If the session refuses the subscription, the
    // element shows no pointers.
    remote.subscribe('users.onPointer', this.#moved).catch(() => undefined);
    remote.subscribe('users.onPointerLeft', this.#left).catch(() => undefined);
    viewer.on('place', this.#placeAll);
    this.#sizes.observe(layer);
  }

  /** Removes all pointers and ends the subscriptions. */
  close(): void {
    const { remote } = this.viewer.client;
    remote.unsubscribe('users.onPointer', this.#moved);
    remote.unsubscribe('users.onPointerLeft', this.#left);
    this.viewer.off('place', this.#placeAll);
    this.#sizes.disconnect();
    for (const userId of [...this.#arrows.keys()]) this.#left(userId);
  }

  /** Removes the pointers of agents that have left. */
  keep(present: readonly { id: string }[]): void {
    for (const userId of [...this.#arrows.keys()])
      if (!present.some(({ id }) => id === userId)) this.#left(userId);
  }

  readonly #moved = ({ userId, x, y, agent }: PeerPointer): void => {
    if (!agent) return;
    const arrow = this.#arrows.get(userId) ?? { element: this.#make(agent), x, y };
    Object.assign(arrow, { x, y });
    this.#arrows.set(userId, arrow);
    this.#place(arrow);
  };

  readonly #left = (userId: string): void => {
    this.#arrows.get(userId)?.element.remove();
    this.#arrows.delete(userId);
  };

  readonly #placeAll = (): void => {
    for (const arrow of this.#arrows.values()) this.#place(arrow);
  };

  #place({ element, x, y }: Arrow): void {
    const at = this.viewer.toContainer(x, y);
    element.style.translate = `${at.x}px ${at.y}px`;
  }

  #make({ name, color }: { name: string; color: string }): HTMLElement {
    const element = document.createElement('div');
    element.className = 'agent-pointer';
    element.style.setProperty('--_agent', color);
    const label = document.createElement('span');
    label.dir = 'auto';
    label.textContent = shownText(name);
    element.append(label);
    this.layer.append(element);
    return element;
  }
}

export const agentPointerStyles = css`
  .agents {
    /* Positions are from the left, also on right-to-left pages. */
    direction: ltr;
    overflow: hidden;
    overflow: clip;
  }

  .agent-pointer {
    position: absolute;
    top: 0;
    left: 0;
    width: max-content;
    filter: drop-shadow(0 1px 2px rgb(0 0 0 / 0.5));
  }

  .agent-pointer::before {
    content: '';
    position: absolute;
    width: 16px;
    height: 20px;
    background: var(--_agent);
    clip-path: polygon(0 0, 100% 62%, 52% 66%, 22% 100%);
    forced-color-adjust: none;
  }

  .agent-pointer span {
    position: absolute;
    top: 18px;
    left: 12px;
    max-width: 16ch;
    padding: 1px 8px;
    border-radius: 9px;
    background: var(--_agent);
    color: #fff;
    font-size: 12px;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  @media (forced-colors: active) {
    .agent-pointer span {
      border: 1px solid;
    }
  }
`;
