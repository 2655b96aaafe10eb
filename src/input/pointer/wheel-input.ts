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

/** Safari's event for a pinch. Source: Apple, "GestureEvent". Other browsers do not have it. */
interface GestureEvent extends UIEvent {
  readonly clientX: number;
  readonly clientY: number;
  /** Distance of the fingers as a multiple of their distance at the start. */
  readonly scale: number;
}

/** A pinch by the factor e has this distance, as in the wheel events of Chromium and Firefox. */
const PINCH_PIXELS = 100;

/**
 * Handles the mouse wheel and touchpad scrolling. Distances are summed per animation frame. Over the picture
 * the page neither scrolls nor zooms. A pinch on a touchpad arrives as a wheel event with Control, except in
 * Safari. Safari's gesture events are converted to such wheel events.
 */
export class WheelInput {
  readonly #placement: PicturePlacement;
  readonly #control: ReleaseControl;
  readonly #platform: Platform;
  readonly #listening = new AbortController();
  readonly #turns = new FrameTask(() => this.#sendTurn());
  #turn: Turn | undefined;
  /** Scale of the last gesture event. */
  #scale = 1;
  /** True while a finger is on the screen. Its gestures are sent as touches. */
  #touched = false;

  constructor({ surface, placement }: InputTarget, control: ReleaseControl, platform: Platform) {
    this.#placement = placement;
    this.#control = control;
    this.#platform = platform;
    const { signal } = this.#listening;
    const options = { passive: false, signal };
    surface.addEventListener('wheel', (event) => this.#turned(event), options);
    for (const type of ['gesturestart', 'gesturechange', 'gestureend'])
      surface.addEventListener(type, (event) => isGesture(event) && this.#pinched(event), options);
    const touched = ({ touches }: TouchEvent): boolean => (this.#touched = touches.length > 0);
    for (const type of ['touchstart', 'touchend', 'touchcancel'] as const)
      surface.addEventListener(type, touched, { passive: true, signal });
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

  #pinched(event: GestureEvent): void {
    const { type, clientX, clientY, scale } = event;
    if (this.#touched || !this.#placement.toRemote(clientX, clientY)) return;
    event.preventDefault();
    const deltaY = type === 'gesturestart' ? 0 : PINCH_PIXELS * Math.log(this.#scale / scale);
    this.#scale = scale;
    if (deltaY !== 0) this.#turned(new WheelEvent('wheel', { clientX, clientY, deltaY, ctrlKey: true }));
  }

  #sendTurn(): void {
    if (!this.#turn) return;
    const { point, ...turn } = this.#turn;
    this.#turn = undefined;
    this.#control.send({ type: 'wheel', ...turn, ...point });
  }
}

function isGesture(event: Event): event is GestureEvent {
  return 'scale' in event;
}
