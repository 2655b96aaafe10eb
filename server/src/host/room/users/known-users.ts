import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Hello, Permissions } from 'cloud-browser/protocol';
import type { AdmittedBy } from '../../../host-protocol.js';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { FloodGuard } from '../viewers/flood-guard.js';
import { TypingHold } from '../../input/keyboard/typing-hold.js';
import { ReceivedInput } from './received-input.js';
import type { Rights } from './rights.js';

/**
 * Maximum number of known users. If there are more, the disconnected user who joined first is forgotten. A
 * user whose token sets the id is never forgotten. Such a user would come back with rights that an admin has
 * taken. A session has few tokens, and forgets their users when they end.
 */
const MAX_KNOWN_USERS = 1_000;

/** A user that the session knows, connected or away. */
export interface User {
  readonly id: string;
  /** Secret with which a connection proves that it belongs to this user. */
  readonly secret: string;
  /** Limits the messages of all connections of the user, and of all users of the user's token together. */
  readonly guard: FloodGuard;
  /**
   * Blocks the user's typing on all connections after a refused press, because the press did not move the
   * focus.
   */
  readonly typing: TypingHold;
  /** The input that has arrived on all connections of the user. */
  readonly received: ReceivedInput;
  rights: Rights;
  /** Last answer of the customer's endpoint about this user. */
  said: Partial<Permissions>;
  /** Time of the user's last input, in milliseconds on the clock of `Control`. */
  lastInput: number;
  /** Time of the user's last input that took control from agents, on the same clock. */
  lastAct: number;
  connectedAt: Date;
  /** Issued token that admitted the user, if there is one. Its scope limits the rights of the user. */
  readonly token?: AdmittedBy | undefined;
  /** Present if the user is an agent. Absent for a person. */
  readonly agent?: AgentIdentity;
}

/** Properties of a user that is an agent: a program that drives the browser. */
export interface AgentIdentity {
  name: string;
  /** Colour of the agent's pointer, such as `#b3261e`. */
  color: string;
}

/** User that a connection claims to be. */
type Resume = NonNullable<Hello['resume']>;

/**
 * The users of a session. A user who reconnects after a lost connection stays the same user with the same
 * rights.
 */
export class KnownUsers {
  readonly #known = new Map<string, User>();

  /**
   * @param isHere returns true if a user is connected, because connected users are never forgotten
   * @param clock clock for the limits of {@link FloodGuard}
   */
  constructor(
    private readonly isHere: (id: string) => boolean,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Returns the user of an earlier connection, if the secret is correct. */
  returning(resume: Resume | undefined): User | undefined {
    const user = resume && this.#known.get(resume.userId);
    if (!resume || !user) return undefined;
    const [known, given] = [Buffer.from(user.secret), Buffer.from(resume.secret)];
    return known.length === given.length && timingSafeEqual(known, given) ? user : undefined;
  }

  /** Adds a new user: an agent if `kind` has an `agent`, otherwise a person. */
  admit(
    newId: string,
    rights: Rights,
    said: Partial<Permissions>,
    now: number,
    kind: Pick<User, 'agent' | 'token'> = {},
  ): User {
    const secret = randomBytes(32).toString('base64url');
    const guard = new FloodGuard(this.clock, kind.token && this.#guardOf(kind.token));
    const [typing, received] = [new TypingHold(), new ReceivedInput()];
    const times = { lastInput: now, lastAct: -Infinity, connectedAt: new Date() };
    const user = { id: newId, secret, guard, typing, received, rights, said, ...times, ...kind };
    this.#known.set(newId, user);
    if (this.#known.size > MAX_KNOWN_USERS) this.#forgetOldest(newId);
    return user;
  }

  get(id: string): User | undefined {
    return this.#known.get(id);
  }

  /** Returns all known users, including those who are away. */
  all(): IterableIterator<User> {
    return this.#known.values();
  }

  /**
   * Records that the browser has changed, see {@link ReceivedInput.outdated}.
   *
   * @param by id of the user who has changed it
   */
  browserChanged(by?: string): void {
    for (const { id, received } of this.#known.values()) if (id !== by) received.outdated();
  }

  /** Forgets a user. A user who comes back is a new user. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  /** Returns the guard that the known users of a token share, or a new one. */
  #guardOf({ tokenId }: AdmittedBy): FloodGuard {
    const other = [...this.#known.values()].find(({ token }) => token?.tokenId === tokenId);
    return other?.guard.ofToken ?? FloodGuard.ofToken(this.clock);
  }

  #forgetOldest(except: string): void {
    for (const [id, { token }] of this.#known) {
      if (id === except || token?.fixesUser || this.isHere(id)) continue;
      this.#known.delete(id);
      return;
    }
  }
}
