import type { Database } from '../../database/database.js';
import type { Statement } from '../../database/statement.js';
import type { RecordingIndex } from '../../sessions/recordings/recording-ports.js';
import type { RecordingQuery, RecordingRecord } from '../../sessions/recordings/recording-record.js';
import { readRecordingRecord } from './read-recording-record.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const GET: Statement = { name: 'recording_get', text: 'select record from recordings where id = $1' };

/**
 * Adds or replaces an entry. Adds no entry that another node has removed. Does not replace an entry by an
 * entry with an earlier state. This is necessary because the database may execute a statement long after its
 * deadline, when a later statement has already run. $1 id, $2 node, $3 session, $4 tenant, $5 tag, $6 state,
 * $7 start, $8 end, $9 bytes, $10 users, $11 record
 */
const SAVE: Statement = {
  name: 'recording_save',
  text: `
    insert into recordings (id, node, session_id, tenant, tag, state, started_at, ended_at, bytes, users,
      record)
    select $1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
    where not exists (select from removed_recordings where id = $1::uuid)
    on conflict (id) do update set state = excluded.state, started_at = excluded.started_at,
      ended_at = excluded.ended_at, bytes = excluded.bytes, users = excluded.users, record = excluded.record
    where recordings.state in ('recording', excluded.state) or excluded.state in ('ready', 'failed')`,
};

/**
 * Removes an entry. If a node other than $2 made the recording, and the recording is not `ready`, that node
 * may still have files of the recording. So the statement keeps the id of the recording. It deletes ids after
 * a year, because a node may never return. $1 id
 */
const REMOVE: Statement = {
  name: 'recording_remove',
  text: `
    with old as (delete from removed_recordings where removed_at < now() - interval '1 year'),
      removed as (delete from recordings where id = $1 returning id, node, state)
    insert into removed_recordings (id, node) select id, node from removed where node <> $2 and state <> 'ready'
    on conflict (id) do nothing`,
};

const REMOVED_ELSEWHERE: Statement = {
  name: 'recording_removed_elsewhere',
  text: 'select id from removed_recordings where node = $1',
};

const FORGET_REMOVED: Statement = {
  name: 'recording_forget_removed',
  text: 'delete from removed_recordings where id = $1',
};

const UNFINISHED: Statement = {
  name: 'recording_unfinished',
  text: `select record from recordings where node = $1 and state in ('recording', 'finalizing')
    order by started_at desc, id desc`,
};

/**
 * Selects the next recordings of the list, newest first. $1 start and $2 id of the last recording of the
 * previous page. Filters, each null for no filter: $3 session, $4 tag, $5 tenant, $6 from, $7 to, $8 user. $9
 * limit
 */
const PAGE: Statement = {
  name: 'recording_page',
  text: `
    select record from recordings
    where (started_at, id) < ($1::timestamptz, $2::uuid)
      and ($3::text is null or session_id = $3) and ($4::text is null or tag = $4)
      and ($5::text is null or tenant = $5)
      and ($6::timestamptz is null or started_at >= $6) and ($7::timestamptz is null or started_at <= $7)
      and ($8::text is null or users @> array[$8::text])
    order by started_at desc, id desc limit $9`,
};

/**
 * Condition for unfinished recordings whose node is not alive. Only the node that made a recording can
 * complete it, after the node has started again.
 */
const ABANDONED = `state in ('recording', 'finalizing')
  and not exists (select from nodes where code = recordings.node and nodes.state = 'alive')`;

const IS_ABANDONED: Statement = {
  name: 'recording_is_abandoned',
  text: `select from recordings where id = $1 and ${ABANDONED}`,
};

/**
 * Selects the recordings to remove: recordings that ended before $1, and abandoned recordings that started or
 * ended before $1. $2 limit
 */
const ENDED_BEFORE: Statement = {
  name: 'recording_ended_before',
  text: `select record from recordings
    where (ended_at < $1 and state in ('ready', 'failed'))
      or (coalesce(ended_at, started_at) < $1 and ${ABANDONED})
    order by coalesce(ended_at, started_at) limit $2`,
};

const BYTES: Statement = {
  name: 'recording_bytes',
  text: 'select coalesce(sum(bytes), 0)::bigint as bytes from recordings where id <> all($1::uuid[])',
};

/** Index of recordings in a database, for all nodes. */
export class PostgresRecordingIndex implements RecordingIndex {
  /** @param node code of this node */
  constructor(
    private readonly database: Pick<Database, 'rows'>,
    private readonly node: string,
  ) {}

  async get(id: string): Promise<RecordingRecord | undefined> {
    if (!isRecordingId(id)) return undefined;
    return (await this.#read(GET, [id]))[0];
  }

  async save(record: RecordingRecord): Promise<void> {
    const { id, sessionId, tenantId, tag, users, state, startedAt, endedAt, bytes } = record;
    await this.database.rows(SAVE, [
      ...[id, this.node, columnText(sessionId), columnText(tenantId), columnText(tag)],
      ...[state, startedAt, endedAt, bytes, users.map(columnText), JSON.stringify(record)],
    ]);
  }

  async remove(id: string): Promise<void> {
    if (isRecordingId(id)) await this.database.rows(REMOVE, [id, this.node]);
  }

  async removedElsewhere(): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(REMOVED_ELSEWHERE, [this.node])).map(({ id }) => id);
  }

  async forgetRemoved(id: string): Promise<void> {
    await this.database.rows(FORGET_REMOVED, [id]);
  }

  unfinished(): Promise<RecordingRecord[]> {
    return this.#read(UNFINISHED, [this.node]);
  }

  async isAbandoned(id: string): Promise<boolean> {
    return isRecordingId(id) && (await this.database.rows(IS_ABANDONED, [id])).length > 0;
  }

  page(query: RecordingQuery, after: RecordingRecord | undefined, limit: number): Promise<RecordingRecord[]> {
    const { sessionId, tag, tenantId, user, from, to } = query;
    const { startedAt, id } = after ?? { startedAt: 'infinity', id: LAST_ID };
    return this.#read(PAGE, [
      ...[startedAt, id, columnText(sessionId), columnText(tag), columnText(tenantId)],
      ...[from ?? null, to ?? null, columnText(user), limit],
    ]);
  }

  endedBefore(date: Date, limit: number): Promise<RecordingRecord[]> {
    return this.#read(ENDED_BEFORE, [date.toISOString(), limit]);
  }

  async bytes(except: readonly string[] = []): Promise<number> {
    const [row] = await this.database.rows<{ bytes: number }>(BYTES, [except]);
    return row?.bytes ?? 0;
  }

  async #read(statement: Statement, values: readonly unknown[]): Promise<RecordingRecord[]> {
    const rows = await this.database.rows<{ record: string }>(statement, values);
    return rows.flatMap(({ record }) => readRecordingRecord(record) ?? []);
  }
}

/** Returns true if a text has the form of an id. The database refuses other texts with an error. */
export function isRecordingId(text: string): boolean {
  return UUID.test(text);
}

/** Replaces NUL characters, which a text column cannot store. */
function columnText(text: string | null | undefined): string | null {
  return text?.replaceAll('\0', '\ufffd') ?? null;
}
