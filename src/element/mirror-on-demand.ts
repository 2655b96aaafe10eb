import { css, html, nothing, type TemplateResult } from 'lit';
import type { CloudBrowserClient } from '../core/index.js';
import { MIRROR_TEXTS } from './lang/mirror-in-english.js';
import type { MirrorOwner } from './mirror-owner.js';
import { Mirror } from './mirror/mirror.js';

/** Mirrors the remote page for who cannot see the picture, when it is wanted. */
export class MirrorOnDemand {
  #asked = false;
  #of: CloudBrowserClient | undefined;
  #mirror: Promise<Mirror | undefined> | undefined;

  constructor(private readonly owner: MirrorOwner) {
    const { renderRoot: root } = owner;
    if (root instanceof ShadowRoot && styles.styleSheet) root.adoptedStyleSheets.push(styles.styleSheet);
  }

  /** The button that asks for the mirror, and the place of the mirror. */
  view(): TemplateResult {
    const asks = this.owner.accessibility === 'ask' && !this.#asked;
    return html`
      ${
        asks
          ? html`<button class="mirror-button" part="mirror-button" @click=${this.#ask}>
              ${this.#say('mirror.open')}
            </button>`
          : nothing
      }
      <div class="mirror"></div>
    `;
  }

  /** The element was rendered: the mirror begins, or ends. */
  update(): void {
    const { accessibility, client, isConnected } = this.owner;
    const wants = accessibility === 'mirror' || (accessibility === 'ask' && this.#asked);
    const wanted = wants && isConnected ? client : undefined;
    if (wanted === this.#of) return;
    this.close();
    const container = this.owner.renderRoot.querySelector<HTMLElement>('.mirror');
    if (!wanted || !container) return;
    this.#of = wanted;
    const host = { container, viewer: () => this.owner.viewer, silent: this.#say('mirror.silent') };
    this.#mirror = wanted.accessibility().then(
      (tree) => (this.#of === wanted ? new Mirror(tree, host) : undefined),
      // What could not be loaded is loaded with the next update.
      () => {
        if (this.#of === wanted) this.#of = undefined;
        return undefined;
      },
    );
  }

  /** Ends the mirror. */
  close(): void {
    void this.#mirror?.then((mirror) => mirror?.close());
    this.#mirror = undefined;
    this.#of = undefined;
  }

  #say(key: keyof typeof MIRROR_TEXTS): string {
    return this.owner.words.told(key, MIRROR_TEXTS[key]);
  }

  readonly #ask = (): void => {
    this.#asked = true;
    this.owner.requestUpdate();
  };
}

/** The mirror lies over the picture without being seen, so that whoever explores by touch finds it there. It takes no pointer. */
const styles = css`
  .mirror {
    position: absolute;
    inset: 0;
    overflow: hidden;
    opacity: 0;
    pointer-events: none;
    contain: strict;
  }

  .mirror-button {
    position: absolute;
    inset: 12px auto auto 12px;
    z-index: 1;
  }

  .mirror-button:not(:focus) {
    clip-path: inset(50%);
    pointer-events: none;
  }
`;
