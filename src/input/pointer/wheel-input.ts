import { FrameTask } from '../frame-task.js';
import type { InputTarget, PicturePlacement, RemotePoint } from '../input-target.js';
import { modifiersOf } from '../keyboard/modifiers.js';
import type { Platform } from '../keyboard/platform.js';
import type { ReleaseControl } from '../release-control.js';
import { remoteDelta, type RemoteDelta } from './wheel-delta.js';

interface Turn extends RemoteDelta {
  point: RemotePoint;
  modifiers: number;
}

/**
 * Handles the mouse wheel and touchpad scrolling. Distances are summed per animation frame. Over the picture
 * the page neither scrolls nor zooms. A pinch on a touchpad arrives as a wheel event with Control.
 */
export class WheelInput {
  readonly #placement: PicturePlacement;
  readonly #control: ReleaseControl;
  readonly #platform: Platform;
  readonly #listening = new AbortController();
  readonly #turns = new FrameTask(() => this.#sendTurn());
  #turn: Turn | undefined;

  constructor({ surface, placement }: InputTarget, control: ReleaseControl, platform: Platform) {
    this.#placement = placement;
    this.#control = control;
    this.#platform = platform;
    const { signal } = this.#listening;
    surface.addEventListener('wheel', (event) => this.#turned(event), { passive: false, signal });
  }

  close(): void {
    this.#turns.cancel();
    this.#listening.abort();
  }

  #turned(event: WheelEvent): void {
    const point = this.#placement.toRemote(event.clientX, event.clientY);
    if (!point) return;
    event.preventDefault();
    const { pixelRatio, size } = this.#placement;
    const page = { width: size.width / pixelRatio, height: size.height / pixelRatio };
    const delta = remoteDelta(event, this.#placement.scale(), page);
    const modifiers = modifiersOf(event, this.#platform);
    const earlier = this.#turn;
    if (earlier && (earlier.modifiers !== modifiers || earlier.notched !== delta.notched))
      this.#turns.flush();
    this.#turn = {
      point,
      modifiers,
      deltaX: (this.#turn?.deltaX ?? 0) + delta.deltaX,
      deltaY: (this.#turn?.deltaY ?? 0) + delta.deltaY,
      notched: delta.notched,
    };
    this.#turns.schedule();
  }

  #sendTurn(): void {
    if (!this.#turn) return;
    const { point, ...turn } = this.#turn;
    this.#turn = undefined;
    this.#control.send({ type: 'wheel', ...turn, ...point });
  }
}
