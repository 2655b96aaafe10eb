import { mayControl } from './rights.js';
import type { User } from './known-users.js';

/** What the arbitration wants to know of a user. */
export type Contender = Pick<User, 'id' | 'rights' | 'lastInput'>;

/**
 * Who controls the browser. Of the users who may control it and are active, those with the highest priority do, several at
 * once when they are equal. A user becomes idle by giving no input for their idle timeout, and active again by the next input.
 * When nobody is active, all who may control do. Two things stand above priorities: a hand-over, which puts one user before
 * all others whatever their rights are, and privacy, which shuts everybody else out.
 */
export class Control {
  readonly #present = new Map<string, Contender>();
  /** To whom control was handed over. They pre-empt others only while they are here and not idle, like anybody. */
  holder: string | undefined;
  /** Who has the browser to themselves. */
  alone: string | undefined;

  /** @param now milliseconds on a monotonic clock */
  constructor(readonly now: () => number) {}

  enter(user: Contender): void {
    this.#present.set(user.id, user);
  }

  leave(id: string): void {
    this.#present.delete(id);
  }

  /** Notes that a user gives input, which makes them active. */
  touch(id: string): void {
    const user = this.#present.get(id);
    if (user) user.lastInput = this.now();
  }

  /** Whose input counts at this moment. */
  controllers(): Set<string> {
    const able = this.#able();
    const top = Math.max(...able.filter((user) => !this.#isIdle(user)).map((user) => this.#rank(user)));
    // The maximum of nothing: no user is active.
    const chosen = top === -Infinity ? able : able.filter((user) => this.#rank(user) === top);
    return new Set(chosen.map(({ id }) => id));
  }

  /** Milliseconds until the next user becomes idle, if none gives input; undefined when none can. */
  untilIdle(): number | undefined {
    const now = this.now();
    const times = this.#able()
      .filter((user) => !this.#isIdle(user) && user.rights.permissions.idle_timeout > 0)
      .map((user) => user.lastInput + user.rights.permissions.idle_timeout - now);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  #able(): Contender[] {
    return [...this.#present.values()].filter(
      ({ id, rights }) =>
        (this.alone === undefined || id === this.alone) && (id === this.holder || mayControl(rights)),
    );
  }

  #rank({ id, rights }: Contender): number {
    return id === this.holder ? Infinity : rights.permissions.priority;
  }

  #isIdle({ rights, lastInput }: Contender): boolean {
    const { idle_timeout: idleTimeout } = rights.permissions;
    return idleTimeout > 0 && this.now() - lastInput >= idleTimeout;
  }
}
