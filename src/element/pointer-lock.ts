import type { Viewer } from '../viewer/index.js';

/** What one message carries. */
const MAX_STEP = 0x7fff;

/**
 * Locks the local pointer while a remote page has locked its own, and tells how far the mouse moves. A browser locks it only while
 * or soon after somebody clicks or types: so it is asked at once, since a click made the remote page ask, and again at every click.
 * Who leaves either lock leaves both.
 */
export class LocalPointerLock {
  readonly #viewer: Viewer;
  readonly #listening = new AbortController();
  #restX = 0;
  #restY = 0;
  #frame: number | undefined;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    const { signal } = this.#listening;
    const { container, client } = viewer;
    container.addEventListener('mousedown', () => this.#ask(), { signal });
    // Before what tells positions, which mean nothing then.
    container.addEventListener('mousemove', (event) => this.#moved(event), { signal, capture: true });
    let was = false;
    document.addEventListener(
      'pointerlockchange',
      () => {
        if (was && !this.#locked && client.pointerLocked) client.leavePointerLock();
        was = this.#locked;
      },
      { signal },
    );
    client.on('pointerLock', this.#follow);
    this.#follow(client.pointerLocked);
  }

  close(): void {
    this.#viewer.client.off('pointerLock', this.#follow);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    if (this.#locked) document.exitPointerLock();
    this.#listening.abort();
  }

  get #locked(): boolean {
    const { container } = this.#viewer;
    return (container.getRootNode() as Document | ShadowRoot).pointerLockElement === container;
  }

  readonly #follow = (locked: boolean): void => {
    if (locked) this.#ask();
    else if (this.#locked) document.exitPointerLock();
  };

  #ask(): void {
    const { client, container, viewOnly } = this.#viewer;
    if (!client.pointerLocked || viewOnly || this.#locked) return;
    // Older browsers answer nothing. One that refuses is asked again at the next click.
    const asked = container.requestPointerLock() as Promise<void> | undefined;
    asked?.catch(() => undefined);
  }

  #moved(event: MouseEvent): void {
    if (!this.#locked) return;
    event.stopImmediatePropagation();
    this.#restX += event.movementX;
    this.#restY += event.movementY;
    this.#frame ??= requestAnimationFrame(() => this.#send());
  }

  /** In pixels of the remote screen, as if the pointer were over the picture. */
  #send(): void {
    this.#frame = undefined;
    const { client } = this.#viewer;
    const { width, height } = this.#viewer.stats();
    const [start, end] = [this.#viewer.toClient(0, 0), this.#viewer.toClient(1, 1)];
    const x = step((this.#restX * width) / (end.x - start.x));
    const y = step((this.#restY * height) / (end.y - start.y));
    if (width === 0 || (x === 0 && y === 0)) return;
    this.#restX -= (x * (end.x - start.x)) / width;
    this.#restY -= (y * (end.y - start.y)) / height;
    client.sendInput({ type: 'relative', modifiers: 0, x, y });
  }
}

function step(pixels: number): number {
  return Number.isFinite(pixels) ? Math.max(-MAX_STEP, Math.min(MAX_STEP, Math.trunc(pixels))) : 0;
}
