import type { Log } from '../../platform/log.js';
import { findByHash, newToken } from '../../platform/secrets.js';
import type { Clock } from '../../platform/time/clock.js';
import { ServiceError } from '../../service-error.js';

/** Maximum number of valid tokens of one recording. */
export const MAX_REPLAY_TOKENS = 100;

/** A token that reads one recording, without its secret. Plain JSON. */
export interface ReplayToken {
  id: string;
  /** SHA-256 of the secret, base64url. The secret is random, so the hash does not reveal it. */
  hash: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  expires: string;
}

/** Storage for tokens of recordings. All nodes can read a stored token, and it outlives the process. */
export interface ReplayTokenStore {
  /** Returns the tokens of a recording, oldest first, also expired ones. */
  list(recordingId: string): Promise<ReplayToken[]>;
  /**
   * Stores a token, and removes tokens that expired before `now`. Returns false and stores nothing if the
   * recording already has `limit` valid tokens.
   */
  add(recordingId: string, token: ReplayToken, now: Date, limit: number): Promise<boolean>;
  /** Removes a token. Returns false if the recording has no such token. */
  remove(recordingId: string, tokenId: string): Promise<boolean>;
  /** Removes all tokens of a recording. */
  removeAll(recordingId: string): Promise<void>;
}

/** Issues, checks and revokes tokens that read one recording. */
export class ReplayTokens {
  constructor(
    private readonly store: ReplayTokenStore,
    private readonly clock: Pick<Clock, 'date'>,
    private readonly log: Log,
  ) {}

  /** Issues a token for an existing recording, for `ttl` seconds. Throws {@link ServiceError}. */
  async issue(recordingId: string, ttl: number): Promise<{ token: ReplayToken; secret: string }> {
    const { id, secret, hash } = newToken();
    const now = this.clock.date();
    const token: ReplayToken = {
      ...{ id, hash, createdAt: now.toISOString() },
      expires: new Date(now.getTime() + ttl * 1000).toISOString(),
    };
    if (!(await this.store.add(recordingId, token, now, MAX_REPLAY_TOKENS)))
      throw new ServiceError('err_too_many_tokens', MAX_REPLAY_TOKENS, 'recording');
    this.log.info('token issued', {
      audit: 'token',
      recording: recordingId,
      token: token.id,
      scope: 'replay',
    });
    return { token, secret };
  }

  /** Returns the valid tokens of a recording, oldest first. */
  async list(recordingId: string): Promise<ReplayToken[]> {
    const now = this.clock.date().toISOString();
    return (await this.store.list(recordingId)).filter(({ expires }) => expires > now);
  }

  /**
   * Returns true if a credential gives access to a recording. Compares it with all tokens of the recording in
   * constant time.
   */
  async accepts(recordingId: string, candidate: string): Promise<boolean> {
    return findByHash(candidate, await this.list(recordingId)) !== undefined;
  }

  /** Revokes a token at once. Throws {@link ServiceError} if there is no such token. */
  async revoke(recordingId: string, tokenId: string): Promise<void> {
    if (!(await this.store.remove(recordingId, tokenId)))
      throw new ServiceError('err_not_found', 'such token');
    this.log.info('token revoked', { audit: 'token revoked', recording: recordingId, token: tokenId });
  }
}
