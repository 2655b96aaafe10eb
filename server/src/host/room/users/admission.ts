import type { Hello, Permissions } from 'cloud-browser/protocol';
import type { AuthorizationAnswer, AuthorizationRequest, ViewerHandover } from '../../../host-protocol.js';
import type { KnownUsers, User } from './known-users.js';
import { firstRights, returningRights, withinScope } from './rights.js';
import type { Roster } from './roster.js';

/** Determines the user of a connection and the user's rights. */
export class Admission {
  /** @param ask asks the customer's endpoint about a user */
  constructor(
    private readonly knownUsers: KnownUsers,
    private readonly roster: Roster,
    private readonly ask: (user: Omit<AuthorizationRequest, 'request'>) => Promise<AuthorizationAnswer>,
  ) {}

  /**
   * Asks the customer's endpoint if a user may join, and returns its answer. Grants access if the session has
   * no such endpoint.
   */
  async authorize(handover: ViewerHandover, hello: Hello): Promise<AuthorizationAnswer> {
    if (handover.auth !== 'ask') return { granted: true, permissions: {} };
    const userId = this.idOf(hello, handover);
    const userAgent = String(handover.request.headers['user-agent'] ?? '');
    return this.ask({ userId, userdata: hello.userdata ?? {}, ip: handover.ip, userAgent });
  }

  /** Returns the id of a connection's user: a returning user, or a new one. */
  idOf(hello: Hello, handover: ViewerHandover): string {
    return this.#returning(hello, handover)?.id ?? handover.userId;
  }

  /**
   * Returns the user of a connection. This is a new user, or a returning user with the earlier rights. The
   * endpoint's new answer changes these rights.
   */
  userOf(hello: Hello, handover: ViewerHandover, said: Partial<Permissions>): User {
    const user = this.#returning(hello, handover);
    if (!user) {
      const { token } = handover;
      const rights = withinScope(firstRights(handover, said), token);
      const now = this.roster.control.now();
      return this.knownUsers.admit(handover.userId, rights, said, now, { token });
    }
    const { said: before } = user;
    user.connectedAt = new Date();
    user.said = said;
    if (handover.auth === 'ask')
      this.roster.change([user], (rights) => returningRights(rights, handover, before, said));
    return user;
  }

  /**
   * Returns the known user of a connection. The client proves with the user's secret that it is this user, or
   * the token determines the user. Returns undefined if that user joined with another token. Otherwise the
   * client would keep the rights of the earlier token.
   */
  #returning({ resume }: Hello, { token, userId }: ViewerHandover): User | undefined {
    const fixed = token?.fixesUser ? this.knownUsers.get(userId) : undefined;
    const user = this.knownUsers.returning(resume) ?? fixed;
    return user?.token?.tokenId === token?.tokenId ? user : undefined;
  }
}
