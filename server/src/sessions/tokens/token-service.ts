import { isDatabaseError, isStorageError } from '../../platform/storage-error.js';
import type { Log } from '../../platform/log.js';
import { databaseAway, ServiceError } from '../../service-error.js';
import { SupersededError } from '../creation/superseded-error.js';
import type { RecordWriter } from '../records/record-writer.js';
import type { Session } from '../session.js';
import type { TokenOrder } from './issued-tokens.js';
import type { TokenRecord } from './token-record.js';

/** Dependencies of {@link TokenService}. */
export interface TokenServiceParts {
  records: Pick<RecordWriter, 'save' | 'write'>;
  log: Log;
}

/** Issues and revokes tokens of live sessions, and keeps their hashes in the sessions' records. */
export class TokenService {
  constructor(private readonly parts: TokenServiceParts) {}

  /**
   * Issues a token. Resolves when the record with its hash is saved. If the method rejects, the token does
   * not exist. Rejects with {@link ServiceError}.
   */
  async issue(session: Session, order: TokenOrder): Promise<{ record: TokenRecord; secret: string }> {
    const issued = session.issueToken(order);
    const { id: token, scope, parent } = issued.record;
    try {
      await this.parts.records.save(session.status.record);
    } catch (error) {
      session.revokeToken(token);
      if (error instanceof SupersededError) throw new ServiceError('err_unavailable');
      // The record with the token may be stored in spite of the error.
      this.parts.records.write(session.status.record);
      if (isStorageError(error)) throw new ServiceError('err_storage');
      if (isDatabaseError(error)) throw databaseAway('no token can be issued');
      throw error;
    }
    this.parts.log.info('token issued', { audit: 'token', session: session.id, token, scope, parent });
    return issued;
  }

  /**
   * Revokes a token at once. The record is saved as soon as it can be written. Throws {@link ServiceError} if
   * there is no such token.
   */
  revoke(session: Session, tokenId: string): void {
    if (!session.revokeToken(tokenId)) throw new ServiceError('err_not_found', 'such token');
    this.parts.records.write(session.status.record);
    this.parts.log.info('token revoked', { audit: 'token revoked', session: session.id, token: tokenId });
  }
}
