import type { Database } from '../../database/database.js';
import type { Statement } from '../../database/statement.js';
import type { ReplayToken, ReplayTokenStore } from '../../sessions/recordings/replay-tokens.js';
import { isRecordingId } from '../records/postgres-recording-index.js';

const LIST: Statement = {
  name: 'replay_tokens_list',
  text: `select id, hash, created_at, expires_at from replay_tokens where recording_id = $1
    order by created_at, id`,
};

const REMOVE_EXPIRED: Statement = {
  name: 'replay_tokens_remove_expired',
  text: 'delete from replay_tokens where recording_id = $1 and expires_at <= $2',
};

/**
 * Locks the entry of a recording. Until the end of this transaction, no other transaction can remove the
 * recording or add a token to it. This is a statement of its own, because a statement that waits for a lock
 * does not see the tokens that were added meanwhile.
 */
const LOCK: Statement = {
  name: 'replay_tokens_lock',
  text: 'select from recordings where id = $1 for no key update',
};

/** Adds a token. Adds nothing if the recording does not exist or already has $6 tokens. */
const ADD: Statement = {
  name: 'replay_token_add',
  text: `
    insert into replay_tokens (recording_id, id, hash, created_at, expires_at)
    select r.id, $2, $3, $4, $5 from recordings r
    where r.id = $1 and (select count(*) from replay_tokens where recording_id = $1) < $6
    returning id`,
};

const REMOVE: Statement = {
  name: 'replay_token_remove',
  text: 'delete from replay_tokens where recording_id = $1 and id = $2 returning id',
};

const REMOVE_ALL: Statement = {
  name: 'replay_tokens_remove_all',
  text: 'delete from replay_tokens where recording_id = $1',
};

interface Row {
  id: string;
  hash: string;
  created_at: Date;
  expires_at: Date;
}

/** Tokens that give access to single recordings, in a database for all nodes. */
export class PostgresReplayTokens implements ReplayTokenStore {
  constructor(private readonly database: Pick<Database, 'rows' | 'transaction'>) {}

  async list(recordingId: string): Promise<ReplayToken[]> {
    if (!isRecordingId(recordingId)) return [];
    const rows = await this.database.rows<Row>(LIST, [recordingId]);
    return rows.map(({ id, hash, created_at: created, expires_at: expires }) => ({
      ...{ id, hash, createdAt: created.toISOString(), expires: expires.toISOString() },
    }));
  }

  async add(recordingId: string, token: ReplayToken, now: Date, limit: number): Promise<boolean> {
    const { id, hash, createdAt, expires } = token;
    return this.database.transaction(async (queries) => {
      await queries.rows(LOCK, [recordingId]);
      await queries.rows(REMOVE_EXPIRED, [recordingId, now.toISOString()]);
      const added = await queries.rows(ADD, [recordingId, id, hash, createdAt, expires, limit]);
      return added.length > 0;
    });
  }

  async remove(recordingId: string, tokenId: string): Promise<boolean> {
    if (!isRecordingId(recordingId)) return false;
    return (await this.database.rows(REMOVE, [recordingId, tokenId])).length > 0;
  }

  async removeAll(recordingId: string): Promise<void> {
    if (isRecordingId(recordingId)) await this.database.rows(REMOVE_ALL, [recordingId]);
  }
}
