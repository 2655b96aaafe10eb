import { randomBytes, timingSafeEqual } from 'node:crypto';

/** More than any session will see; beyond it the oldest user who left is forgotten. */
const MAX_KNOWN_USERS = 1_000;

/** The users of a session, so that one who lost the network comes back as the same. */
export class Users {
  readonly #secrets = new Map<string, Buffer>();

  /** Who somebody would be: the user that he proves to be, or the new one. */
  identify(newId: string, resume?: { userId: string; secret: string }): string {
    return resume && this.#knows(resume) ? resume.userId : newId;
  }

  /** Takes in a new user, or one who comes back with the right secret. Anybody else gets the new id. */
  admit(newId: string, resume?: { userId: string; secret: string }): { userId: string; secret: string } {
    if (resume && this.#knows(resume)) return resume;
    const secret = randomBytes(32);
    this.#secrets.set(newId, secret);
    if (this.#secrets.size > MAX_KNOWN_USERS) {
      for (const oldest of this.#secrets.keys()) {
        this.#secrets.delete(oldest);
        break;
      }
    }
    return { userId: newId, secret: secret.toString('base64url') };
  }

  #knows({ userId, secret }: { userId: string; secret: string }): boolean {
    const known = this.#secrets.get(userId);
    const given = Buffer.from(secret, 'base64url');
    return known !== undefined && known.length === given.length && timingSafeEqual(known, given);
  }
}
