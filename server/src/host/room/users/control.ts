import { canUse } from './can-use.js';
import type { User } from './known-users.js';

/** Properties of a user that determine control. */
export type Contender = Pick<User, 'id' | 'rights' | 'lastInput'>;

/**
 * Decides which users control the browser. A user in control is active, may control, and has the highest
 * priority. Users with equal priority control together. A user becomes idle after their idle timeout without
 * input, and active again with the next input. If all users are idle, all users who may control have control.
 * Two things override priorities. A hand-over puts one user before all others, independent of rights. Privacy
 * mode excludes all other users.
 */
export class Control {
  readonly #present = new Map<string, Contender>();
  /** User to whom control was handed over. They have priority only while they are connected and not idle. */
  holder: string | undefined;
  /** User in privacy mode. */
  alone: string | undefined;

  /** @param now milliseconds on a monotonic clock */
  constructor(readonly now: () => number) {}

  enter(user: Contender): void {
    this.#present.set(user.id, user);
  }

  leave(id: string): void {
    this.#present.delete(id);
  }

  /** Records that a user gives input, which makes them active. */
  touch(id: string): void {
    const user = this.#present.get(id);
    if (user) user.lastInput = this.now();
  }

  /** Returns the users who control the browser now. */
  controllers(): Set<string> {
    const able = this.#able();
    const top = Math.max(...able.filter((user) => !this.#isIdle(user)).map((user) => this.#rank(user)));
    // No user is active. This is the maximum of an empty list.
    const chosen = top === -Infinity ? able : able.filter((user) => this.#rank(user) === top);
    return new Set(chosen.map(({ id }) => id));
  }

  /**
   * Returns the milliseconds until the next user becomes idle without further input. Undefined if no user can
   * become idle.
   */
  untilIdle(): number | undefined {
    const now = this.now();
    const times = this.#able()
      .filter((user) => !this.#isIdle(user) && user.rights.permissions.idle_timeout > 0)
      .map((user) => user.lastInput + user.rights.permissions.idle_timeout - now);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** True if another user is in privacy mode. */
  shutsOut(id: string): boolean {
    return this.alone !== undefined && id !== this.alone;
  }

  #able(): Contender[] {
    return [...this.#present.values()].filter(
      ({ id, rights }) =>
        !this.shutsOut(id) &&
        (id === this.holder || canUse({ admin: false, shutOut: false, rights }, 'control')),
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
