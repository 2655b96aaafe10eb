import type { InputWithoutSeq } from 'cloud-browser/protocol';
import { pause, systemClock } from '../../../platform/time/clock.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import type { Performed, UserEvent, UserInput } from '../../input/user-input.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Point } from './computer-arguments.js';
import type { ComputerAgent } from './computer-agent.js';
import { strokeOfCharacter, type KeyStroke } from './key-names.js';

/**
 * Timeout of one event, in milliseconds. An event usually takes only some milliseconds. A page that does not
 * answer delays the event by at most a second.
 */
const EVENT_TIMEOUT_MS = 5_000;

/** Pixels between two moves of a drag. Pages that follow a drag expect several moves. */
const DRAG_STEP = 24;
/** Maximum number of moves between two points of a drag. */
const MAX_STEPS = 40;
/**
 * Pauses of a drag, in milliseconds. Chromium merges moves of the same frame into one, so a page would miss
 * the points between them. After the first move, Chromium starts the drag of an element in another process.
 * Before the release, the page says if it accepts the element at the last position.
 */
const MOVE_PAUSE_MS = 20;
const GRAB_PAUSE_MS = 100;
const DROP_PAUSE_MS = 100;

/** The functions of an agent that {@link Hands} needs. */
export type HandsAgent = Pick<
  ComputerAgent,
  'acted' | 'onControlReturned' | 'onMasked' | 'perform' | 'performs' | 'pointer'
> & {
  readonly input: Pick<UserInput, 'performed' | 'releaseAll' | 'tap'>;
};

/**
 * A position, or a function that finds the position. The function is called again if a person had control
 * meanwhile.
 */
type Place = Point | (() => Promise<Point | undefined>);
type Path = readonly Point[] | (() => Promise<readonly Point[]>);

type Event = Exclude<InputWithoutSeq, { type: 'paste' }>;
type ButtonEvent = Extract<Event, { type: 'button' }>;

/**
 * Uses mouse and keyboard as an agent. A person who takes control interrupts the agent between two events.
 * The remaining events follow when the agent has control again, so that no event is lost or performed twice.
 * An interrupted drag ends with an error instead.
 */
export class Hands {
  /** Aborted with an error when the client of the current call has gone, or when the agent has left. */
  leaving: AbortSignal | undefined;
  /** True if a masked field has refused an event of the current action. */
  #refused = false;
  /** Number of times that control has returned to the agent. */
  #returns = 0;

  /** @param settled resolves when the browser has received all earlier events */
  constructor(
    private readonly agent: HandsAgent,
    private readonly settled: () => Promise<void>,
  ) {
    agent.onMasked = () => (this.#refused = true);
    agent.onControlReturned = () => (this.#returns += 1);
  }

  /** Moves the pointer. */
  async move(place: Place): Promise<void> {
    this.#begin();
    await this.#wholeAt(place, async (at) => {
      this.agent.pointer(at.x, at.y);
      return this.#send({ type: 'move', modifiers: 0, ...at });
    });
  }

  /**
   * Moves the pointer, then presses and releases a button `count` times. Resolves to false if there is no
   * position.
   */
  async click(place: Place, button: number, count: number, modifiers: number): Promise<boolean> {
    this.#begin();
    let left = count;
    const isClicked = await this.#wholeAt(place, async (at) => {
      this.agent.pointer(at.x, at.y);
      if (!(await this.#send({ type: 'move', modifiers, ...at }))) return false;
      const press = { type: 'button', modifiers, ...at, button } as const;
      // All clicks are queued at once. On a busy machine, the time between two clicks could otherwise be too
      // long for a double click.
      const clicks = await Promise.all(Array.from({ length: left }, () => this.#pressAndRelease(press)));
      left -= clicks.filter((isPressed) => isPressed).length;
      return left === 0;
    });
    if (modifiers !== 0) await this.#whole(() => this.#send({ type: 'release', modifiers: 0 }));
    await this.#end();
    return isClicked;
  }

  /** Presses a button at the first point, and releases it at the last point. */
  async drag(path: Path, button: number): Promise<void> {
    this.#begin();
    const drag = { whole: true };
    await this.#wholeFrom(typeof path === 'function' ? path : async () => path, async (found) => {
      const [first, ...others] = found;
      const last = found.at(-1);
      if (!first || !last) return true;
      const press = { type: 'button', modifiers: 0, button } as const;
      if (!(await this.#send({ type: 'move', modifiers: 0, ...first }))) return false;
      if (!(await this.#send({ ...press, ...first, pressed: true }))) return false;
      let from = first;
      let wait = GRAB_PAUSE_MS;
      for (const to of others) {
        for (const at of between(from, to)) {
          // A drag can take more than a minute.
          this.leaving?.throwIfAborted();
          drag.whole &&= await this.#send({ type: 'move', modifiers: 0, ...at });
          if (drag.whole) await pause(systemClock, wait);
          wait = MOVE_PAUSE_MS;
        }
        from = to;
      }
      // The end of the agent drops its input, like a person who takes control.
      this.leaving?.throwIfAborted();
      this.agent.pointer(last.x, last.y);
      if (drag.whole) await pause(systemClock, DROP_PAUSE_MS);
      if (drag.whole) await this.#send({ ...press, ...last, pressed: false });
      return true;
    });
    if (!drag.whole)
      throw new CallError(
        'err_person_has_control',
        'A person took control during the drag, so it has ended early. Look at the screen, and try again.',
      );
    await this.#end();
  }

  /** Scrolls by CSS pixels. */
  async scroll(place: Place, distance: Point): Promise<void> {
    this.#begin();
    await this.#wholeAt(place, async (at) => {
      this.agent.pointer(at.x, at.y);
      if (!(await this.#send({ type: 'move', modifiers: 0, ...at }))) return false;
      const turn = { type: 'wheel', modifiers: 0, ...at, notched: true } as const;
      return this.#send({ ...turn, deltaX: distance.x, deltaY: distance.y });
    });
    await this.#end();
  }

  /** Types a text, one key after the other. */
  async type(text: string): Promise<void> {
    this.#begin();
    for (const character of text.replace(/\r\n?/g, '\n')) {
      await this.#press(strokeOfCharacter(character));
      if (this.#refused) break;
    }
    await this.#end();
  }

  /** Presses and releases a key or a shortcut. */
  async key(stroke: KeyStroke, count: number): Promise<void> {
    this.#begin();
    for (let press = 0; press < count && !this.#refused; press++) await this.#press(stroke);
    await this.#end();
  }

  /**
   * Forgets that a masked field refused input of an earlier action. `#refused` may still be set if the
   * earlier action did not call {@link #end}, for example because it failed for another reason.
   */
  #begin(): void {
    this.#refused = false;
  }

  #press(stroke: KeyStroke): Promise<void> {
    const { agent } = this;
    const event = { type: 'key', seq: 0, ...stroke, pressed: true, repeat: false } as const;
    return this.#whole(() => this.#outcome(agent.input.tap(stroke, () => agent.performs({ event }))));
  }

  /** Repeats a command until it was performed as a whole. */
  async #whole(command: () => Promise<boolean>): Promise<void> {
    this.agent.acted();
    while (!(await this.#perform(command)));
  }

  /** Like {@link #whole}, at a position. Resolves to false if there is no position. */
  #wholeAt(place: Place, command: (at: Point) => Promise<boolean>): Promise<boolean> {
    return this.#wholeFrom(typeof place === 'function' ? place : async () => place, command);
  }

  /** Like {@link #whole}, with what a function finds. Resolves to false if the function finds nothing. */
  async #wholeFrom<Found>(
    find: () => Promise<Found | undefined>,
    command: (found: Found) => Promise<boolean>,
  ): Promise<boolean> {
    this.agent.acted();
    for (;;) {
      const returns = this.#returns;
      const found = await find();
      if (!found) return false;
      // A person who had control meanwhile may have scrolled the page or shown another page. So the position
      // is found again.
      if (await this.#perform(async () => this.#returns === returns && command(found))) return true;
    }
  }

  /**
   * Performs a command when the agent has control. Rejects if the client of the call has gone, or if the
   * agent has left. If the command fails, releases the agent's keys and buttons after the waiting events,
   * because the command may have ended between a press and its release.
   */
  async #perform(command: () => Promise<boolean>): Promise<boolean> {
    try {
      this.leaving?.throwIfAborted();
      return await this.agent.perform(command, this.leaving);
    } catch (error) {
      this.agent.input.releaseAll();
      throw error;
    }
  }

  /** Queues a press and its release. Returns false if a person took control before the press. */
  async #pressAndRelease(press: Omit<ButtonEvent, 'pressed'>): Promise<boolean> {
    // If a person takes control between the press and the release, the host releases the button.
    const [isPressed] = await Promise.all([
      this.#send({ ...press, pressed: true }),
      this.#send({ ...press, pressed: false }),
    ]);
    return isPressed;
  }

  /** Performs an event. Returns false if a person took control before the event. */
  #send(event: Event): Promise<boolean> {
    const numbered: UserEvent = { ...event, seq: 0 };
    const { agent } = this;
    return this.#outcome(agent.input.performed(numbered, () => agent.performs({ event: numbered })));
  }

  async #outcome(performed: Promise<Performed>): Promise<boolean> {
    const outcome = await withTimeout(performed, EVENT_TIMEOUT_MS, () => 'late' as const);
    if (outcome === 'late')
      throw new CallError('err_page_unresponsive', 'The browser did not take the input in time. Try again.');
    if (outcome === 'full')
      throw new CallError(
        'err_too_many_calls',
        'Too much input of this program waits. Wait for some answers.',
      );
    if (outcome === 'refused') this.#refused = true;
    return outcome !== 'dropped';
  }

  /** Waits until the browser has received the events. Throws if a masked field refused an event. */
  async #end(): Promise<void> {
    await withTimeout(this.settled(), EVENT_TIMEOUT_MS, () => undefined);
    const refused = this.#refused;
    this.#refused = false;
    if (refused)
      throw new CallError(
        'err_field_masked',
        'This field is masked. It accepts input only from users with the role field_masking. While a masked field has content, the toolbar and menus of the browser need the role too.',
      );
  }
}

/** Returns the positions of the moves from one point to another. */
function* between(from: Point, to: Point): Iterable<Point> {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil(distance / DRAG_STEP)));
  for (let step = 1; step <= steps; step++)
    yield {
      x: Math.round(from.x + ((to.x - from.x) * step) / steps),
      y: Math.round(from.y + ((to.y - from.y) * step) / steps),
    };
}
