import type { Viewer } from '../../viewer/index.js';

/** Maximum movement that one message can contain, per axis. Pixels of the remote screen. */
const MAX_STEP = 0x7fff;

/**
 * Locks the local pointer while a remote page has locked the remote pointer, and sends the mouse movements.
 * Browsers allow the local lock only during or soon after a click or a key press. Most remote pages lock the
 * pointer after a click, so this class requests the local lock immediately. If the browser refuses, each
 * later click requests the lock again. When the remote lock ends, the local lock is released. When the local
 * lock ends, the remote lock is released too, unless the viewer is view-only.
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
    // During a lock, stops the event before the listener that sends positions. Positions have no meaning
    // then.
    container.addEventListener('mousemove', (event) => this.#moved(event), { signal, capture: true });
    let was = false;
    document.addEventListener(
      'pointerlockchange',
      () => {
        // A view-only viewer sends nothing. The remote lock remains for the user's next click with input.
        if (was && !this.#locked && client.pointerLocked && !viewer.viewOnly) client.leavePointerLock();
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
    // Older browsers return no promise. After a rejection, the next click tries again.
    const asked = container.requestPointerLock() as Promise<void> | undefined;
    asked?.catch(() => undefined);
  }

  #moved(event: MouseEvent): void {
    if (!this.#locked) return;
    event.stopImmediatePropagation();
    // The page may have made the viewer view-only during the lock.
    if (this.#viewer.viewOnly) return document.exitPointerLock();
    this.#restX += event.movementX;
    this.#restY += event.movementY;
    this.#frame ??= requestAnimationFrame(() => this.#send());
  }

  /** Sends the movement, converted to pixels of the remote screen. */
  #send(): void {
    this.#frame = undefined;
    const { client, viewOnly } = this.#viewer;
    if (viewOnly) return;
    const { width, height } = this.#viewer.stats();
    // Computes the movement on the page for one remote pixel to the right, and for one remote pixel down. The
    // page may have scaled or rotated the picture.
    const middle = this.#viewer.toClient(0.5, 0.5);
    const [end, low] = [this.#viewer.toClient(1, 0.5), this.#viewer.toClient(0.5, 1)];
    const right = { x: ((end.x - middle.x) * 2) / width, y: ((end.y - middle.y) * 2) / width };
    const down = { x: ((low.x - middle.x) * 2) / height, y: ((low.y - middle.y) * 2) / height };
    const area = right.x * down.y - right.y * down.x;
    const x = step((this.#restX * down.y - this.#restY * down.x) / area);
    const y = step((this.#restY * right.x - this.#restX * right.y) / area);
    if (width === 0 || (x === 0 && y === 0)) return;
    this.#restX -= x * right.x + y * down.x;
    this.#restY -= x * right.y + y * down.y;
    client.sendInput({ type: 'relative', modifiers: 0, x, y });
  }
}

function step(pixels: number): number {
  return Number.isFinite(pixels) ? Math.max(-MAX_STEP, Math.min(MAX_STEP, Math.trunc(pixels))) : 0;
}
