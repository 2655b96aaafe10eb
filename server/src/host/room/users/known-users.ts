import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Hello, Permissions } from 'cloud-browser/protocol';
import { FloodGuard } from '../flood-guard.js';
import type { Rights } from './rights.js';

/** Beyond it, the user who came first and is not connected is forgotten. */
const MAX_KNOWN_USERS = 1_000;

/** A user that the session knows, connected or away. */
export interface User {
  readonly id: string;
  /** Proves that a connection is this user's. */
  readonly secret: string;
  /** What they send, over all of their connections. */
  readonly guard: FloodGuard;
  rights: Rights;
  /** What the customer's endpoint said last of this user. */
  said: Partial<Permissions>;
  /** When they last gave input, in milliseconds on the clock of the room's control. */
  lastInput: number;
  connectedAt: Date;
}

/** Who a connection claims to belong to. */
type Resume = NonNullable<Hello['resume']>;

/** The users of a session, so that one who lost the network comes back as the same and with the same rights. */
export class KnownUsers {
  readonly #known = new Map<string, User>();

  /** @param isHere whether a user is connected: such a user is never forgotten */
  constructor(private readonly isHere: (id: string) => boolean) {}

  /** The user who comes back with the right secret. */
  returning(resume: Resume | undefined): User | undefined {
    const user = resume && this.#known.get(resume.userId);
    if (!resume || !user) return undefined;
    const [known, given] = [Buffer.from(user.secret), Buffer.from(resume.secret)];
    return known.length === given.length && timingSafeEqual(known, given) ? user : undefined;
  }

  /** Takes in a new user. */
  admit(newId: string, rights: Rights, said: Partial<Permissions>, now: number): User {
    const secret = randomBytes(32).toString('base64url');
    const guard = new FloodGuard();
    const user = { id: newId, secret, guard, rights, said, lastInput: now, connectedAt: new Date() };
    this.#known.set(newId, user);
    if (this.#known.size > MAX_KNOWN_USERS) this.#forgetOldest(newId);
    return user;
  }

  get(id: string): User | undefined {
    return this.#known.get(id);
  }

  /** Also those who are away now. */
  all(): IterableIterator<User> {
    return this.#known.values();
  }

  /** Forgets a user, who is a new one when they come again. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  #forgetOldest(except: string): void {
    for (const id of this.#known.keys()) {
      if (id === except || this.isHere(id)) continue;
      this.#known.delete(id);
      return;
    }
  }
}
