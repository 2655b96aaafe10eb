import { MAX_TOUCH_POINTS, type TouchPoint } from '../../protocol/index.js';
import { FrameTask } from '../frame-task.js';
import type { InputTarget, PicturePlacement, RemotePoint } from '../input-target.js';
import { modifiersOf } from '../keyboard/modifiers.js';
import type { Platform } from '../keyboard/platform.js';
import type { ReleaseControl } from '../release-control.js';

/**
 * Sends the touches on the picture, without recognizing gestures. The remote browser turns them into taps,
 * scrolling and gestures. Moves are batched per animation frame. The local browser creates no mouse events
 * from them, and does not scroll or zoom the page.
 */
export class TouchInput {
  readonly #surface: HTMLElement;
  readonly #placement: PicturePlacement;
  readonly #listening = new AbortController();
  readonly #moves = new FrameTask(() => this.#send('move'));
  /** Touches by `Touch.identifier`, which may be any number. The protocol's ids are small. */
  readonly #fingers = new Map<number, TouchPoint>();
  readonly #touchAction: string;
  #modifiers = 0;

  constructor(
    { surface, placement }: InputTarget,
    private readonly control: ReleaseControl,
    private readonly platform: Platform,
    onLift: (at: RemotePoint | undefined) => void,
  ) {
    this.#surface = surface;
    this.#placement = placement;
    control.add(this);
    this.#touchAction = surface.style.touchAction;
    surface.style.touchAction = 'none';
    const options = { passive: false, signal: this.#listening.signal };
    surface.addEventListener('touchstart', (event) => this.#start(event), options);
    surface.addEventListener('touchmove', (event) => this.#move(event), options);
    surface.addEventListener('touchend', (event) => this.#end(event, 'end', onLift), options);
    surface.addEventListener('touchcancel', (event) => this.#end(event, 'cancel'), options);
  }

  forget(): void {
    this.#moves.cancel();
    this.#fingers.clear();
  }

  close(): void {
    this.forget();
    this.#listening.abort();
    this.#surface.style.touchAction = this.#touchAction;
  }

  #start(event: TouchEvent): void {
    this.#moves.flush();
    for (const touch of event.changedTouches) {
      const point = this.#placement.toRemote(touch.clientX, touch.clientY);
      const id = this.#freeId();
      if (point && id !== undefined) this.#fingers.set(touch.identifier, { id, ...point });
    }
    if (!this.#known(event)) return;
    event.preventDefault();
    this.#modifiers = modifiersOf(event, this.platform);
    this.#send('start');
  }

  #move(event: TouchEvent): void {
    if (!this.#known(event)) return;
    event.preventDefault();
    for (const touch of event.changedTouches) {
      const finger = this.#fingers.get(touch.identifier);
      if (finger) Object.assign(finger, this.#placement.nearestRemote(touch.clientX, touch.clientY));
    }
    this.#moves.schedule();
  }

  #end(event: TouchEvent, phase: 'end' | 'cancel', onLift?: (at: RemotePoint | undefined) => void): void {
    if (!this.#known(event)) return;
    if (event.cancelable) event.preventDefault();
    this.#moves.flush();
    for (const touch of event.changedTouches) this.#fingers.delete(touch.identifier);
    this.#send(phase);
    const [last] = event.changedTouches;
    if (this.#fingers.size === 0) onLift?.(last && this.#placement.toRemote(last.clientX, last.clientY));
  }

  #known(event: TouchEvent): boolean {
    return Array.from(event.changedTouches).some((touch) => this.#fingers.has(touch.identifier));
  }

  #freeId(): number | undefined {
    const taken = new Set(Array.from(this.#fingers.values(), ({ id }) => id));
    for (let id = 0; id < MAX_TOUCH_POINTS; id++) if (!taken.has(id)) return id;
    return undefined;
  }

  #send(phase: 'start' | 'move' | 'end' | 'cancel'): void {
    const points = Array.from(this.#fingers.values(), (finger) => ({ ...finger }));
    this.control.send({ type: 'touch', phase, points, modifiers: this.#modifiers });
  }
}
