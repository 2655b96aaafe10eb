import type { SessionUser } from 'cloud-browser/protocol';
import type { Calls } from '../calls/calls.js';
import { NOTICES } from '../notices.js';
import { ControlNotices } from './control-notices.js';
import type { Control } from './control.js';
import { rolesOf, type Rights } from './rights.js';
import type { User } from './known-users.js';
import type { Viewer } from '../viewer.js';

/** The connected users, their rights, and whose input counts. Tells those who may know of every change. */
export class Roster {
  /** Told when users have come, have other rights, or their input begins or ceases to count. */
  onChanged: (() => void) | undefined;
  /** Called when it has been decided anew whose hands count, or rights have changed. */
  onSettled: () => void = () => undefined;
  readonly #viewers = new Map<string, Viewer>();
  #controllers: ReadonlySet<string> = new Set();
  readonly #notices = new ControlNotices(
    (id) => this.controls(id),
    (id, controls) => this.viewer(id)?.send(controls ? NOTICES.controlGiven : NOTICES.controlTaken),
  );
  #idleTimer: NodeJS.Timeout | undefined;
  #idleDue = 0;

  constructor(
    private readonly calls: Calls,
    readonly control: Control,
  ) {}

  /** The connection of a user. */
  viewer(id: string): Viewer | undefined {
    return this.#viewers.get(id);
  }

  /** All connections. */
  viewers(): IterableIterator<Viewer> {
    return this.#viewers.values();
  }

  /** Adds a user's connection, which may replace an older one. */
  join(viewer: Viewer): void {
    const { user } = viewer;
    const isNew = !this.#viewers.has(user.id);
    this.#viewers.set(user.id, viewer);
    this.control.enter(user);
    this.settle([], isNew ? user : undefined);
  }

  /** Removes a connection. True when its user is gone; false when they have another connection by now. */
  leave(viewer: Viewer): boolean {
    const { user } = viewer;
    if (this.#viewers.get(user.id) !== viewer) return false;
    const info = this.describe(user);
    this.#viewers.delete(user.id);
    this.#notices.forget(user.id);
    this.control.leave(user.id);
    this.calls.publish('users.onLeft', [info], ({ admin }) => admin);
    this.settle();
    return true;
  }

  /** Notes that a user gives input. True when it counts: then those whom they pre-empt have let go of everything. */
  acts(viewer: Viewer): boolean {
    this.control.touch(viewer.userId);
    this.settle();
    return this.#controllers.has(viewer.userId);
  }

  /** Whether a user's input counts now. */
  controls(id: string): boolean {
    return this.#controllers.has(id);
  }

  /** The user who controls alone; undefined when several do, or none. */
  soleController(): string | undefined {
    const [first, second] = this.#controllers;
    return second === undefined ? first : undefined;
  }

  /** A user as clients see them. */
  describe({ id, rights, connectedAt }: User): SessionUser {
    return {
      id,
      roles: [...rolesOf(rights)],
      permissions: rights.permissions,
      connectedAt: connectedAt.toISOString(),
      controlling: this.#controllers.has(id),
    };
  }

  /** All connected users, in the order in which they came. */
  list(): SessionUser[] {
    return [...this.#viewers.values()].map(({ user }) => this.describe(user));
  }

  /** Changes the rights of users, also of those who are away. */
  change(users: Iterable<User>, rightsOf: (rights: Rights) => Rights): void {
    const changed = [...users];
    for (const user of changed) user.rights = rightsOf(user.rights);
    this.settle(changed);
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    this.#notices.close();
  }

  /** Decides anew whose hands count, and tells of it, of `others` that changed, and of who has come. */
  settle(others: Iterable<User> = [], newcomer?: User): void {
    const before = this.#controllers;
    this.#controllers = this.control.controllers();
    const changed = new Set(others);
    for (const { user, input } of this.#viewers.values()) {
      const [had, has] = [before.has(user.id), this.#controllers.has(user.id)];
      if (had !== has) changed.add(user);
      if (had !== has && user !== newcomer) this.#notices.changed(user.id, had);
      // What users hold when they lose control must not stay held.
      if (had && !has) input.giveUp();
    }
    if (newcomer) this.#publish('users.onJoined', newcomer);
    for (const user of changed)
      if (user !== newcomer && this.#viewers.has(user.id)) this.#publish('users.onChanged', user);
    this.#watchIdleness();
    if (changed.size > 0) this.onChanged?.();
    this.onSettled();
  }

  /** Decides again when the next user becomes idle. A timer that fires too early finds nothing and is set anew. */
  #watchIdleness(): void {
    const time = this.control.untilIdle();
    if (time === undefined) return;
    const due = this.control.now() + time;
    if (this.#idleTimer && this.#idleDue <= due) return;
    clearTimeout(this.#idleTimer);
    this.#idleDue = due;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      this.settle();
    }, Math.ceil(time));
  }

  #publish(event: 'users.onJoined' | 'users.onChanged', user: User): void {
    const info = this.describe(user);
    const own = event === 'users.onChanged' ? user.id : undefined;
    this.calls.publish(event, [info], ({ admin, userId }) => admin || userId === own);
  }
}
