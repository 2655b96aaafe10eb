/** Dispatched on a shadow root that is taken by another embed. */
const REPLACED = 'cloud-browser-replaced';

/** A stylesheet object: a page may forbid inline styles, these it cannot. */
const CSS = `
  .screen { position: relative; width: 100%; height: 100%; overflow: hidden; outline: none; user-select: none;
    -webkit-user-select: none; -webkit-touch-callout: none; isolation: isolate; }
  canvas { position: relative; }
  #vid { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
  .unseen > * { opacity: 0; }
`;

/**
 * What an embed puts into a page's shadow root: a surface with the canvas, which the picture is painted on, and under it
 * the `<video id="vid">` with the same picture, for pages that look for it.
 */
export class Screen {
  readonly surface = document.createElement('div');
  readonly canvas = document.createElement('canvas');
  readonly video = document.createElement('video');
  readonly #root: ShadowRoot;
  readonly #sheet = new CSSStyleSheet();
  readonly #listening = new AbortController();

  /** Whatever was in the root goes. Not `shown`: it takes input only. `onReplaced`: another embed has taken it. */
  constructor(root: ShadowRoot, shown: boolean, onReplaced: () => void) {
    this.#root = root;
    root.dispatchEvent(new Event(REPLACED));
    root.addEventListener(REPLACED, onReplaced, { signal: this.#listening.signal });
    this.#sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.#sheet];
    this.surface.className = shown ? 'screen' : 'screen unseen';
    this.surface.setAttribute('role', 'group');
    this.surface.setAttribute('aria-label', 'Remote browser');
    const { video } = this;
    video.id = 'vid';
    video.muted = video.playsInline = true;
    video.tabIndex = -1;
    video.setAttribute('aria-hidden', 'true');
    this.surface.append(video, this.canvas);
    root.replaceChildren(this.surface);
  }

  /** The video stays behind the picture, wherever that lies. */
  follow(): void {
    const { width, height, margin, objectFit, transform } = this.canvas.style;
    Object.assign(this.video.style, { width, height, margin, objectFit, transform });
  }

  close(): void {
    this.#listening.abort();
    this.video.srcObject = null;
    this.surface.remove();
    const sheets = this.#root.adoptedStyleSheets;
    this.#root.adoptedStyleSheets = sheets.filter((sheet) => sheet !== this.#sheet);
  }
}
