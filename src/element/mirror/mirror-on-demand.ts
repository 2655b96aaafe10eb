import { css, html, nothing, type TemplateResult } from 'lit';
import type { AccessibilityTree, CloudBrowserClient } from '../../core/index.js';
import { MIRROR_TEXTS } from '../lang/words/mirror-in-english.js';
import type { MirrorOwner } from './mirror-owner.js';
import { Mirror } from './mirror.js';

/**
 * Loads a client's accessibility tree, and retries until `close` is called. The script of the element passes
 * this function, because it reports failures. If this file imported `report-failure.ts`, the build would move
 * lit and the texts of `lang/built-in.ts` out of the script into a second file.
 */
export type LoadTree = (
  client: CloudBrowserClient,
  onLoaded: (tree: AccessibilityTree) => void,
) => { close(): void };

/**
 * Mirrors the remote page for users who cannot see the picture, if the attribute `accessibility` or the user
 * requests the mirror.
 */
export class MirrorOnDemand {
  #asked = false;
  #of: CloudBrowserClient | undefined;
  #loading: ReturnType<LoadTree> | undefined;
  #mirror: Mirror | undefined;

  constructor(
    private readonly owner: MirrorOwner,
    private readonly loadTree: LoadTree,
  ) {
    const { renderRoot: root } = owner;
    if (root instanceof ShadowRoot && styles.styleSheet) root.adoptedStyleSheets.push(styles.styleSheet);
  }

  /** Renders the button that requests the mirror, and the container of the mirror. */
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

  /** Starts or ends the mirror. Call it after the element was rendered. */
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
    this.#loading = this.loadTree(wanted, (tree) => (this.#mirror = new Mirror(tree, host)));
  }

  /** Ends the mirror. */
  close(): void {
    this.#loading?.close();
    this.#mirror?.close();
    this.#loading = undefined;
    this.#mirror = undefined;
    this.#of = undefined;
  }

  #say(key: keyof typeof MIRROR_TEXTS): string {
    return this.owner.words.told(key, MIRROR_TEXTS[key]);
  }

  readonly #ask = (): void => {
    this.#asked = true;
    // The button disappears, so the focus moves to the container. When the mirror knows the focus of the
    // remote page, the local focus follows it from there.
    const container = this.owner.renderRoot.querySelector<HTMLElement>('.mirror');
    if (container) {
      container.tabIndex = -1;
      container.focus();
    }
    this.owner.requestUpdate();
  };
}

/**
 * The mirror is an invisible layer over the picture, and receives no pointer input. So a user who explores
 * the screen by touch finds the mirrored content in the area of the picture.
 */
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
