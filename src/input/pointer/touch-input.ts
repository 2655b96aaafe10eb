import { MAX_TOUCH_POINTS, type TouchPoint } from '../../protocol/index.js';
import { FrameTask } from '../frame-task.js';
import type { InputTarget, PicturePlacement, RemotePoint } from '../input-target.js';
import { modifiersOf } from '../keyboard/modifiers.js';
import type { Platform } from '../keyboard/platform.js';
import type { ReleaseControl } from '../release-control.js';

/** Maximum distance that the finger of a tap moves, as in Chromium. CSS pixels. */
const TAP_PIXELS = 15;

/**
 * Sends the touches on the picture. The remote browser recognizes taps, scrolling and gestures. Moves are
 * batched per animation frame. The local browser creates no mouse events from these touches, and does not
 * scroll or zoom the page. On phones a stylus also creates touches. These are not sent, because
 * `PointerInput` sends the stylus.
 */
export class TouchInput {
  readonly #surface: HTMLElement;
  readonly #placement: PicturePlacement;
  readonly #listening = new AbortController();
  readonly #moves = new FrameTask(() => this.#send('move'));
  /**
   * Touches by `Touch.identifier`. This may be any number, so each touch gets a small id for the protocol.
   */
  readonly #fingers = new Map<number, TouchPoint>();
  /** Start of a touch that may be a tap. Undefined after a swipe, and with a second finger. */
  #tap: { clientX: number; clientY: number } | undefined;
  /**
   * True if the latest pointer that came down is a stylus without its side button. Its touch, if it has one,
   * follows.
   */
  #byPen = false;
  /** `Touch.identifier` of the stylus. */
  #pen: number | undefined;
  readonly #touchAction: string;
  #modifiers = 0;

  constructor(
    { surface, placement }: InputTarget,
    private readonly control: ReleaseControl,
    private readonly platform: Platform,
    /** Called when the last finger is lifted. `at` is the position of a tap in the picture. */
    onLift: (at: RemotePoint | undefined) => void,
  ) {
    this.#surface = surface;
    this.#placement = placement;
    control.add(this);
    this.#touchAction = surface.style.touchAction;
    surface.style.touchAction = 'none';
    const options = { passive: false, signal: this.#listening.signal };
    const isPen = ({ pointerType, button }: PointerEvent): boolean => pointerType === 'pen' && button !== 2;
    surface.addEventListener('pointerdown', (event) => (this.#byPen = isPen(event)), options);
    surface.addEventListener('touchstart', (event) => this.#start(event), options);
    surface.addEventListener('touchmove', (event) => this.#move(event), options);
    surface.addEventListener('touchend', (event) => this.#end(event, 'end', onLift), options);
    surface.addEventListener('touchcancel', (event) => this.#end(event, 'cancel'), options);
  }

  forget(): void {
    this.#moves.cancel();
    this.#fingers.clear();
    this.#tap = undefined;
  }

  close(): void {
    this.forget();
    this.#listening.abort();
    this.#surface.style.touchAction = this.#touchAction;
  }

  #start(event: TouchEvent): void {
    this.#moves.flush();
    this.#liftLost(event);
    const [first, second] = event.changedTouches;
    const alone = this.#fingers.size === 0 && !second ? first : undefined;
    // Copies the position, because some browsers use the object again for the moves of the finger.
    this.#tap = alone && { clientX: alone.clientX, clientY: alone.clientY };
    if (this.#byPen) {
      this.#pen = first?.identifier;
      return event.preventDefault();
    }
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
      this.#follow(touch);
      const finger = this.#fingers.get(touch.identifier);
      if (finger) Object.assign(finger, this.#placement.nearestRemote(touch.clientX, touch.clientY));
    }
    this.#moves.schedule();
  }

  #end(event: TouchEvent, phase: 'end' | 'cancel', onLift?: (at: RemotePoint | undefined) => void): void {
    const isPen = event.changedTouches[0]?.identifier === this.#pen;
    if (!isPen && !this.#known(event)) return;
    if (event.cancelable) event.preventDefault();
    this.#moves.flush();
    for (const touch of event.changedTouches) {
      this.#follow(touch);
      this.#fingers.delete(touch.identifier);
    }
    if (isPen) this.#pen = undefined;
    else this.#send(phase);
    if (this.#fingers.size > 0) return;
    const tap = this.#tap;
    onLift?.(tap && this.#placement.toRemote(tap.clientX, tap.clientY));
  }

  /** Lifts the fingers whose end was not reported. A new finger may have the identifier of a lost one. */
  #liftLost({ touches, changedTouches }: TouchEvent): void {
    const still = new Set(Array.from(touches, ({ identifier }) => identifier));
    for (const { identifier } of changedTouches) still.delete(identifier);
    const lost = [...this.#fingers.keys()].filter((identifier) => !still.has(identifier));
    for (const identifier of lost) this.#fingers.delete(identifier);
    // The new finger may get the id of a lost finger. Without this event, the session would move the lost
    // finger to the position of the new one.
    if (lost.length > 0) this.#send('cancel');
  }

  #follow({ clientX, clientY }: Touch): void {
    const tap = this.#tap;
    if (tap && Math.hypot(clientX - tap.clientX, clientY - tap.clientY) > TAP_PIXELS) this.#tap = undefined;
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
