import type { Role, SessionUser } from 'cloud-browser/protocol';
import type { Calls } from '../calls/calls.js';
import { NOTICES } from '../notices.js';
import { ControlNotices } from './control-notices.js';
import type { Control } from './control.js';
import { rolesOf, withinScope, type Rights } from './rights.js';
import type { User } from './known-users.js';
import type { Viewer } from '../viewers/viewer.js';

/** An agent in the roster. An agent has no viewer. */
export interface AgentSeat {
  readonly user: User;
  /**
   * Called when the agent has lost control. The agent must release its keys and buttons before other input.
   */
  lostControl(): void;
  /** Called after every decision about control, and after a change of rights. */
  settled(controls: boolean): void;
}

/**
 * The connected users, their rights, and their control of the browser. Reports every change to the users who
 * may see it.
 */
export class Roster {
  /** Called when users have joined, when rights have changed, or when users get or lose control. */
  onChanged: (() => void) | undefined;
  /** Called after every decision about control, and after a change of rights. */
  onSettled: () => void = () => undefined;
  /** Called when an admin has changed the rights of an agent, with the earlier rights. */
  onAgentRights: (agent: User, before: Rights) => void = () => undefined;
  /** Called when an admin has given roles to everyone, so that agents that are away can get them too. */
  onRolesForAll: (roles: readonly Role[]) => void = () => undefined;
  /** Returns the start and end of a user's privacy mode. Undefined if the user is not in privacy mode. */
  privacyOf: (id: string) => SessionUser['privacy'] = () => undefined;
  readonly #viewers = new Map<string, Viewer>();
  readonly #agents = new Map<string, AgentSeat>();
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
  ) {
    control.holdsAny = (id) => this.viewer(id)?.input.holdsAny === true;
  }

  /** Returns the connection of a user. */
  viewer(id: string): Viewer | undefined {
    return this.#viewers.get(id);
  }

  /** Returns all connections. */
  viewers(): IterableIterator<Viewer> {
    return this.#viewers.values();
  }

  /** True if a user is connected: a person with a viewer, or an agent. */
  isHere(id: string): boolean {
    return this.#viewers.has(id) || this.#agents.has(id);
  }

  /** Adds an agent. */
  joinAgent(agent: AgentSeat): void {
    this.#agents.set(agent.user.id, agent);
    this.control.enter(agent.user);
    this.settle([], agent.user);
  }

  /** Removes an agent. Does nothing if the agent is not in the roster. */
  leaveAgent(agent: AgentSeat): void {
    const { user } = agent;
    if (this.#agents.get(user.id) !== agent) return;
    const info = this.describe(user);
    this.#agents.delete(user.id);
    this.#removed(info);
  }

  /** Adds a user's connection. The connection may replace an older one of the user. */
  join(viewer: Viewer): void {
    const { user } = viewer;
    const isNew = !this.#viewers.has(user.id);
    // The reports of the join must already respect another user's privacy mode.
    viewer.shutOut = this.control.shutsOut(user.id);
    this.#viewers.set(user.id, viewer);
    this.control.enter(user);
    this.settle([], isNew ? user : undefined);
  }

  /** Removes a connection. Returns true if its user has no other connection. */
  leave(viewer: Viewer): boolean {
    const { user } = viewer;
    if (this.#viewers.get(user.id) !== viewer) return false;
    const info = this.describe(user);
    this.#viewers.delete(user.id);
    this.#notices.forget(user.id);
    this.#removed(info);
    return true;
  }

  /**
   * Records input of a user. Returns true if the input is accepted. In that case, users who lost control have
   * already released their keys and buttons.
   *
   * @param takesControl false if the input leaves control to agents, such as a move of the pointer
   */
  acts(viewer: Viewer, takesControl = true): boolean {
    this.control.touch(viewer.userId);
    if (takesControl) this.control.act(viewer.userId);
    this.settle();
    return this.#controllers.has(viewer.userId);
  }

  /** True if a user controls the browser now. */
  controls(id: string): boolean {
    return this.#controllers.has(id);
  }

  /** Returns the user in control if there is exactly one, otherwise undefined. */
  soleController(): string | undefined {
    const [first, second] = this.#controllers;
    return second === undefined ? first : undefined;
  }

  /** Returns a user in the form that clients see. */
  describe({ id, rights, connectedAt, agent, token }: User): SessionUser {
    const privacy = this.privacyOf(id);
    return {
      id,
      kind: agent ? 'agent' : 'person',
      ...(token?.name !== undefined && { name: token.name }),
      ...agent,
      roles: [...rolesOf(rights)],
      permissions: rights.permissions,
      connectedAt: connectedAt.toISOString(),
      controlling: this.#controllers.has(id),
      ...(privacy && { privacy }),
    };
  }

  /** Returns all connected users, in the order in which they joined. */
  list(): SessionUser[] {
    return [...this.#viewers.values(), ...this.#agents.values()]
      .map(({ user }) => user)
      .sort((one, other) => Number(one.connectedAt) - Number(other.connectedAt))
      .map((user) => this.describe(user));
  }

  /** Changes the rights of users, including those who are away. */
  change(users: Iterable<User>, rightsOf: (rights: Rights) => Rights): void {
    const changed = [...users];
    for (const user of changed) {
      const before = user.rights;
      user.rights = withinScope(rightsOf(before), user.token);
      if (user.agent) this.onAgentRights(user, before);
    }
    this.settle(changed);
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    this.#notices.close();
  }

  /** Decides again about control. Reports the changed users, the users in `others`, and the new user. */
  settle(others: Iterable<User> = [], newcomer?: User): void {
    const before = this.#controllers;
    const now = this.control.now();
    this.#controllers = this.control.controllers(now);
    const changed = new Set(others);
    for (const { user, input } of this.#viewers.values()) {
      const [had, has] = [before.has(user.id), this.#controllers.has(user.id)];
      if (had !== has) changed.add(user);
      if (had !== has && user !== newcomer) this.#notices.changed(user.id, had);
      if (!had || has) continue;
      // Keys and buttons of users who lose control must not stay pressed.
      input.giveUp();
      user.received.outdated();
    }
    for (const agent of this.#agents.values()) {
      const { id } = agent.user;
      const [had, has] = [before.has(id), this.#controllers.has(id)];
      if (had !== has) changed.add(agent.user);
      if (had && !has) agent.lostControl();
    }
    if (newcomer) this.#publish('users.onJoined', newcomer);
    for (const user of changed)
      if (user !== newcomer && this.isHere(user.id)) this.#publish('users.onChanged', user);
    this.#watchIdleness(now);
    if (changed.size > 0) this.onChanged?.();
    this.onSettled();
    for (const agent of [...this.#agents.values()]) agent.settled(this.controls(agent.user.id));
  }

  #removed(info: SessionUser): void {
    this.control.leave(info.id);
    this.calls.publish('users.onLeft', [info], ({ admin }) => admin);
    this.settle();
  }

  /**
   * Schedules the next decision at the time when a user becomes idle. If the timer fires too early, the
   * decision changes nothing and the timer is set again.
   *
   * @param now time of the last decision
   */
  #watchIdleness(now: number): void {
    const time = this.control.untilIdle(now);
    if (time === undefined) return;
    const due = now + time;
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
