import type { Hello, Permissions } from 'cloud-browser/protocol';
import type { AuthorizationAnswer, AuthorizationRequest, ViewerHandover } from '../../../host-protocol.js';
import type { KnownUsers, User } from './known-users.js';
import { firstRights, returningRights } from './rights.js';
import type { Roster } from './roster.js';

/** Determines the user of a connection and the user's rights. */
export class Admission {
  /** @param ask asks the customer's endpoint about a user */
  constructor(
    private readonly knownUsers: KnownUsers,
    private readonly roster: Roster,
    private readonly ask: (user: Omit<AuthorizationRequest, 'request'>) => Promise<AuthorizationAnswer>,
  ) {}

  /** Returns the answer of the customer's endpoint about a user, if the endpoint decides. */
  async authorize(handover: ViewerHandover, hello: Hello): Promise<AuthorizationAnswer> {
    if (handover.auth !== 'ask') return { granted: true, permissions: {} };
    const userId = this.knownUsers.returning(hello.resume)?.id ?? handover.userId;
    const userAgent = String(handover.request.headers['user-agent'] ?? '');
    return this.ask({ userId, userdata: hello.userdata ?? {}, ip: handover.ip, userAgent });
  }

  /**
   * Returns the user of a connection. It is a new user, or a returning one with the earlier rights. The
   * endpoint's new answer is applied to these rights.
   */
  userOf({ resume }: Hello, handover: ViewerHandover, said: Partial<Permissions>): User {
    const user = this.knownUsers.returning(resume);
    if (!user) {
      const rights = firstRights(handover, said);
      return this.knownUsers.admit(handover.userId, rights, said, this.roster.control.now());
    }
    const { said: before } = user;
    user.connectedAt = new Date();
    user.said = said;
    if (handover.auth === 'ask')
      this.roster.change([user], (rights) => returningRights(rights, handover, before, said));
    return user;
  }
}
