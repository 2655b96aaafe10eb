import { canUse } from './can-use.js';
import type { User } from './known-users.js';

/**
 * Time after a person's last input during which agents do not have control, in milliseconds. If the person's
 * `idle_timeout` is not 0, it is used instead.
 */
export const PERSON_HOLD_MS = 5_000;

/**
 * Interval at which the room checks if a person still holds a key or a button, or still has a dialog to
 * answer. Milliseconds.
 */
const HELD_CHECK_MS = 1_000;
/**
 * Time for which a person may think about a dialog that a page has opened after the person's input. Some
 * programs cancel every dialog as soon as they may. Milliseconds.
 */
const DIALOG_HOLD_MS = 60_000;

/** Properties of a user that determine control. */
export type Contender = Pick<User, 'id' | 'rights' | 'lastInput'> & Partial<Pick<User, 'agent' | 'lastAct'>>;

/**
 * Decides which users control the browser. Of the users who may control, those with the highest priority
 * have control. Users with equal priority control together. A user becomes idle after their idle timeout
 * without input, and active again with the next input. Idle users do not count for the highest priority. So
 * an idle user keeps control beside active users of the same priority. If all users are idle, all users who
 * may control have control.
 * Two things override priorities. A hand-over puts one user before all others, independent of rights. Privacy
 * mode excludes all other users.
 *
 * An agent does not control together with a person who acts. A person in control excludes agents while they
 * hold a key or button, and until {@link PERSON_HOLD_MS} after their last act. If a page opens a dialog
 * in this time, the person excludes agents until somebody answers it, at most for {@link DIALOG_HOLD_MS}.
 */
export class Control {
  readonly #present = new Map<string, Contender>();
  /** User to whom control was handed over. They have priority only while they are connected and not idle. */
  holder: string | undefined;
  /** User in privacy mode. */
  alone: string | undefined;
  /** The person who must answer the open dialog, and the end of their time. */
  #asked: { id: string; until: number } | undefined;
  /** Returns true if a user holds a key or a button. */
  holdsAny: (id: string) => boolean = () => false;
  /** Returns true if an agent waits for a person. The agent has no control then. */
  waitsForPerson: (id: string) => boolean = () => false;

  /** @param now milliseconds on a monotonic clock */
  constructor(readonly now: () => number) {}

  enter(user: Contender): void {
    this.#present.set(user.id, user);
  }

  leave(id: string): void {
    this.#present.delete(id);
  }

  /** Records input of a user. The user becomes active. */
  touch(id: string): void {
    const user = this.#present.get(id);
    if (user) user.lastInput = this.now();
  }

  /**
   * Records that a user acts. This takes control from agents of the same priority. It also ends a hand-over
   * to an agent, because a person must be able to interrupt a program.
   */
  act(id: string): void {
    const user = this.#present.get(id);
    if (!user) return;
    user.lastAct = this.now();
    const { holder } = this;
    if (holder === undefined || !this.#present.get(holder)?.agent) return;
    if (!user.agent && this.#able().includes(user)) this.holder = undefined;
  }

  /** Records that a page has opened or closed a dialog. `areOpen`: true if any dialog is open now. */
  dialogsChanged(areOpen: boolean): void {
    if (!areOpen) {
      this.#asked = undefined;
      return;
    }
    if (this.#asked) return;
    const id = this.lastToAct();
    const person = id === undefined ? undefined : this.#present.get(id);
    const now = this.now();
    if (person && this.#heldFor(person, now) > 0)
      this.#asked = { id: person.id, until: now + DIALOG_HOLD_MS };
  }

  /** Lets agents have control again at once, although persons have acted recently. */
  yieldToAgents(): void {
    this.#asked = undefined;
    for (const user of this.#present.values()) user.lastAct = -Infinity;
  }

  /** Returns the person who acted last, among the present persons who may control. */
  lastToAct(): string | undefined {
    const [last] = this.#able()
      .filter(({ agent, lastAct = -Infinity }) => !agent && lastAct > -Infinity)
      .sort((one, other) => (other.lastAct ?? 0) - (one.lastAct ?? 0));
    return last?.id;
  }

  /** Returns the users who control the browser at a time, by default now. */
  controllers(now = this.now()): Set<string> {
    const able = this.#able();
    const active = able.filter((user) => !this.#isIdle(user, now));
    const top = Math.max(...active.map((user) => this.#rank(user)));
    // `-Infinity` is the maximum of an empty list: no user is active.
    const chosen = top === -Infinity ? able : able.filter((user) => this.#rank(user) === top);
    const held = this.#hasAgents && chosen.some((user) => this.#heldFor(user, now) > 0);
    return new Set(chosen.filter(({ agent }) => !held || !agent).map(({ id }) => id));
  }

  /**
   * Returns the milliseconds until a user becomes idle or stops excluding agents, if no user sends further
   * input. Undefined if neither can happen.
   *
   * @param now time of the last decision about control. With a later time, a user who became idle after the
   *   decision would be left out, and no further decision would follow
   */
  untilIdle(now = this.now()): number | undefined {
    const able = this.#able();
    const times = able
      .filter((user) => !this.#isIdle(user, now) && user.rights.permissions.idle_timeout > 0)
      .map((user) => user.lastInput + user.rights.permissions.idle_timeout - now);
    if (this.#hasAgents)
      times.push(...able.map((user) => this.#heldFor(user, now)).filter((time) => time > 0));
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** True if another user is in privacy mode. */
  shutsOut(id: string): boolean {
    return this.alone !== undefined && id !== this.alone;
  }

  get #hasAgents(): boolean {
    for (const { agent } of this.#present.values()) if (agent) return true;
    return false;
  }

  /**
   * Returns the milliseconds for which a person still excludes agents. 0 or less if the person excludes none.
   */
  #heldFor({ id, agent, lastAct = -Infinity, rights }: Contender, now: number): number {
    if (agent) return 0;
    const time = rights.permissions.idle_timeout || PERSON_HOLD_MS;
    const left = lastAct + time - now;
    const isAsked = this.#asked?.id === id && now < this.#asked.until;
    return isAsked || this.holdsAny(id) ? Math.max(left, HELD_CHECK_MS) : left;
  }

  #able(): Contender[] {
    return [...this.#present.values()].filter(
      ({ id, agent, rights }) =>
        !this.shutsOut(id) &&
        !(agent && this.waitsForPerson(id)) &&
        (id === this.holder || canUse({ admin: false, shutOut: false, rights }, 'control')),
    );
  }

  #rank({ id, rights }: Contender): number {
    return id === this.holder ? Infinity : rights.permissions.priority;
  }

  #isIdle({ rights, lastInput }: Contender, now: number): boolean {
    const { idle_timeout: idleTimeout } = rights.permissions;
    return idleTimeout > 0 && now - lastInput >= idleTimeout;
  }
}
