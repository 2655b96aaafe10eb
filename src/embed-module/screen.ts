/** Event on a shadow root when another embed replaces its content. */
const REPLACED = 'cloud-browser-replaced';

/**
 * Rules for a `CSSStyleSheet` object, because a page's content security policy may forbid inline styles.
 * Pages read the shape of the remote pointer from `style.cursor` of the video. The rule for `#vid` overrides
 * this style, so that the browser does not load the pointer's image, which the policy may forbid.
 */
const CSS = `
  .screen { position: relative; width: 100%; height: 100%; overflow: hidden; outline: none; user-select: none;
    -webkit-user-select: none; -webkit-touch-callout: none; isolation: isolate; }
  canvas { position: relative; }
  #vid { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain;
    cursor: inherit !important; }
  .unseen > * { opacity: 0; }
`;

/**
 * The content of the embed in a page's shadow root. A surface contains the canvas with the picture. Under the
 * canvas is a `<video id="vid">` with the same picture, because some pages look for this element.
 */
export class Screen {
  readonly surface = document.createElement('div');
  readonly canvas = document.createElement('canvas');
  readonly video = document.createElement('video');
  readonly #root: ShadowRoot;
  readonly #sheet = new CSSStyleSheet();
  readonly #listening = new AbortController();

  /**
   * Replaces the content of the root. If `shown` is false, the content is invisible and only captures input.
   * Calls `onReplaced` if another embed replaces the content later.
   */
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

  /** Keeps the video exactly behind the canvas. */
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
