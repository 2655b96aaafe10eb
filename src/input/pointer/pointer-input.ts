import { Modifier, type PenState } from '../../protocol/index.js';
import { FrameTask } from '../frame-task.js';
import type { InputTarget, PicturePlacement, RemotePoint } from '../input-target.js';
import { modifiersOf } from '../keyboard/modifiers.js';
import type { Platform } from '../keyboard/platform.js';
import type { ReleaseControl } from '../release-control.js';

/** The bit of `MouseEvent.buttons` for each value of `MouseEvent.button`. */
const BUTTON_BITS = [1, 4, 2, 8, 16];

/**
 * Handles the mouse and styluses. Listens to mouse events in the bubbling phase, so the page can suppress
 * them in the capture phase. Moves are batched per animation frame. A button event is sent immediately with
 * its own position.
 *
 * A stylus that hovers is a mouse. While its tip is down, its pointer events are handled instead of its mouse
 * events. Mouse events lack pressure and tilt, and touch screens send them only after a tap.
 */
export class PointerInput {
  readonly #placement: PicturePlacement;
  readonly #listening = new AbortController();
  readonly #moves = new FrameTask(() => this.#sendMove());
  /** Buttons that are pressed remotely: a map from the local button to the button that was sent for it. */
  readonly #held = new Map<number, number>();
  #move: { point: RemotePoint; modifiers: number; pen?: PenState } | undefined;
  /** Pointer id of the stylus whose tip is down. */
  #pen: number | undefined;
  #last: RemotePoint | undefined;

  constructor(
    { surface, placement }: InputTarget,
    private readonly control: ReleaseControl,
    private readonly platform: Platform,
    /**
     * `inPicture` is false next to the picture, and before the first picture. The event of a stylus is a
     * `PointerEvent`.
     */
    private readonly onPress: (event: MouseEvent, inPicture: boolean) => void,
  ) {
    this.#placement = placement;
    control.add(this);
    const { signal } = this.#listening;
    surface.addEventListener('mousedown', this.#press, { signal });
    // Listens on the window too, because a drag may end anywhere. Moves without a button matter only over the
    // surface. The surface comes first, because the page may stop events on their way to the window.
    surface.addEventListener('mousemove', (event) => this.#moved(event), { signal });
    window.addEventListener('mousemove', (event) => this.#held.size > 0 && this.#moved(event), { signal });
    surface.addEventListener('mouseleave', () => this.#left(), { signal });
    surface.addEventListener('mouseup', (event) => this.#lift(event), { signal });
    window.addEventListener('mouseup', (event) => this.#lift(event), { signal });
    // Captures the pointer, so that the events of a drag continue outside of the window or the iframe.
    // Without the capture, they would end there, because the default action of `mousedown` is prevented.
    surface.addEventListener('pointerdown', (event) => this.#pointerDown(surface, event), { signal });
    const ofPen = ({ pointerId }: PointerEvent): boolean => pointerId === this.#pen;
    window.addEventListener('pointermove', (event) => ofPen(event) && this.#moved(event), { signal });
    window.addEventListener('pointerup', (event) => ofPen(event) && this.#penUp(event), { signal });
    // The position of this event has no meaning.
    window.addEventListener('pointercancel', (event) => ofPen(event) && control.release(), { signal });
    for (const type of ['contextmenu', 'dragstart', 'selectstart', 'auxclick'] as const) {
      surface.addEventListener(type, (event) => event.preventDefault(), { signal });
    }
  }

  forget(): void {
    this.#moves.cancel();
    this.#move = this.#pen = undefined;
    this.#held.clear();
  }

  close(): void {
    this.forget();
    this.#listening.abort();
  }

  readonly #press = (event: MouseEvent): void => {
    const bit = BUTTON_BITS[event.button];
    if (bit === undefined) return;
    event.preventDefault();
    const point = this.#placement.toRemote(event.clientX, event.clientY);
    this.onPress(event, point !== undefined);
    if (!point) return;
    this.#reconcile(event.buttons | bit, event);
    // On a Mac, Control+click is a right click.
    const secondary = this.platform === 'mac' && event.button === 0 && event.ctrlKey;
    const button = secondary ? 2 : event.button;
    this.#held.set(event.button, button);
    this.#button(button, true, point, event, secondary);
  };

  #pointerDown(surface: HTMLElement, event: PointerEvent): void {
    capture(surface, event);
    // A stylus with its side button pressed is a mouse that clicks right.
    if (event.pointerType !== 'pen' || event.button !== 0) return;
    this.#pen = event.pointerId;
    // Prevents the default action, so the stylus sends no mouse events until its tip is lifted.
    this.#press(event);
  }

  #penUp(event: PointerEvent): void {
    this.#pen = undefined;
    this.#lift(event);
  }

  #lift(event: MouseEvent): void {
    if (!this.#held.has(event.button)) return;
    event.preventDefault();
    this.#release(event.button, event);
  }

  #moved(event: MouseEvent): void {
    this.#reconcile(event.buttons, event);
    const dragging = this.#held.size > 0;
    const { clientX, clientY } = event;
    const point = dragging
      ? this.#placement.nearestRemote(clientX, clientY)
      : this.#placement.toRemote(clientX, clientY);
    if (!point) return this.#left();
    this.#move = { point, modifiers: modifiersOf(event, this.platform), ...(dragging && penOf(event)) };
    this.#moves.schedule();
  }

  /** Reports that the pointer has left the picture, so that remote pages close their hover menus. */
  #left(): void {
    if (this.#held.size > 0) return;
    this.#moves.cancel();
    this.#move = undefined;
    if (!this.#last) return;
    this.#last = undefined;
    this.control.send({ type: 'relative', x: 0, y: 0, modifiers: 0 });
  }

  /** Releases buttons whose mouseup happened outside this page. */
  #reconcile(buttons: number, event: MouseEvent): void {
    for (const local of [...this.#held.keys()]) {
      if (((BUTTON_BITS[local] ?? 0) & buttons) === 0) this.#release(local, event);
    }
  }

  #release(local: number, event: MouseEvent): void {
    const sent = this.#held.get(local);
    this.#held.delete(local);
    const point = this.#placement.nearestRemote(event.clientX, event.clientY) ?? this.#last;
    if (sent !== undefined && point) this.#button(sent, false, point, event, sent !== local);
  }

  /** @param secondary true if Control was only pressed for a right click. Then it is not sent */
  #button(button: number, pressed: boolean, point: RemotePoint, event: MouseEvent, secondary: boolean): void {
    this.#moves.flush();
    this.#last = point;
    const modifiers = modifiersOf(event, this.platform) & ~(secondary ? Modifier.control : 0);
    this.control.send({ type: 'button', button, pressed, modifiers, ...point, ...penOf(event) });
  }

  #sendMove(): void {
    const move = this.#move;
    this.#move = undefined;
    if (!move) return;
    const { point, ...state } = move;
    // The pressure of a stylus may change without a movement.
    if (!state.pen && point.x === this.#last?.x && point.y === this.#last.y) return;
    this.#last = point;
    this.control.send({ type: 'move', ...state, ...point });
  }
}

function penOf(event: MouseEvent): { pen: PenState } | undefined {
  if (!(event instanceof PointerEvent)) return undefined;
  const { pressure, tiltX, tiltY } = event;
  return { pen: { pressure, tiltX, tiltY } };
}

function capture(surface: HTMLElement, event: PointerEvent): void {
  if (event.pointerType === 'touch' || !event.isTrusted) return;
  try {
    surface.setPointerCapture(event.pointerId);
  } catch {
    // The pointer no longer exists.
  }
}
