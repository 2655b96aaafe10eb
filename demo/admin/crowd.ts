import type { CloudBrowserClient, Role, SessionUser } from '../../src/index.js';

/** An event about the users of a session. */
export type CrowdEvent =
  | { type: 'joined' | 'left' | 'asks' | 'controls' | 'stops'; user: SessionUser }
  | { type: 'roles'; user: SessionUser; added: Role[]; removed: Role[] };

/** Users of a session, kept up to date by the session's events. Needs a client with the admin token. */
export class Crowd {
  readonly #client: CloudBrowserClient;
  readonly #onChange: () => void;
  readonly #onEvent: (event: CrowdEvent) => void;
  readonly #users = new Map<string, SessionUser>();
  /** Users who requested control and have no answer yet. */
  readonly #asking = new Set<string>();

  constructor(client: CloudBrowserClient, onChange: () => void, onEvent: (event: CrowdEvent) => void) {
    this.#client = client;
    this.#onChange = onChange;
    this.#onEvent = onEvent;
  }

  /** All connected users, in the order of their connections. */
  get users(): SessionUser[] {
    return [...this.#users.values()];
  }

  asks(userId: string): boolean {
    return this.#asking.has(userId);
  }

  /** Returns true if this user is the only one with control. */
  isSole(userId: string): boolean {
    const controlling = this.users.filter((user) => user.controlling);
    return controlling.length === 1 && controlling[0]?.id === userId;
  }

  /** Removes a user's request for control after it was answered or dismissed. */
  dismiss(userId: string): void {
    if (this.#asking.delete(userId)) this.#onChange();
  }

  /** Starts listening. The subscriptions last as long as the client. */
  async follow(): Promise<void> {
    const { users } = this.#client;
    await Promise.all([
      users.on('joined', (user) => this.#joined(user)),
      users.on('left', (user) => this.#left(user)),
      users.on('changed', (user) => this.#changed(user)),
      users.on('controlRequested', (user) => {
        this.#asking.add(user.id);
        this.#onEvent({ type: 'asks', user });
        this.#onChange();
      }),
    ]);
  }

  /** Reads the list of users again, because events during a lost connection are not repeated. */
  async refresh(): Promise<void> {
    const users = await this.#client.users.list();
    this.#users.clear();
    for (const user of users) this.#users.set(user.id, user);
    this.#onChange();
  }

  #joined(user: SessionUser): void {
    this.#users.set(user.id, user);
    this.#onEvent({ type: 'joined', user });
    this.#onChange();
  }

  #left(user: SessionUser): void {
    this.#users.delete(user.id);
    this.#asking.delete(user.id);
    this.#onEvent({ type: 'left', user });
    this.#onChange();
  }

  #changed(user: SessionUser): void {
    const before = this.#users.get(user.id);
    this.#users.set(user.id, user);
    const added = user.roles.filter((role) => !before?.roles.includes(role));
    const removed = before?.roles.filter((role) => !user.roles.includes(role)) ?? [];
    if (before && added.length + removed.length > 0) this.#onEvent({ type: 'roles', user, added, removed });
    if (before && user.controlling !== before.controlling)
      this.#onEvent({ type: user.controlling ? 'controls' : 'stops', user });
    for (const id of this.#asking) if (this.isSole(id)) this.#asking.delete(id);
    this.#onChange();
  }
}
