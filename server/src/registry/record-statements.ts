import type { Statement } from '../database/statement.js';

/** Reads a record. $1 id, a UUID. */
export const GET: Statement = {
  name: 'record_get',
  text: 'select record from sessions where id = $1',
};

/** Reads the epoch of the current process of a node. $1 node. */
export const LIFE: Statement = {
  name: 'record_life',
  text: 'select epoch::integer as epoch from nodes where code = $1',
};

/** Reads the records of a node's running sessions. $1 node. */
export const UNFINISHED: Statement = {
  name: 'record_unfinished',
  text: 'select record from sessions where node = $1 and ended_at is null order by created_at, id',
};

/** Reads the running sessions after a position. $1 creation time, $2 id, $3 limit, $4 ids to leave out. */
export const RUNNING: Statement = {
  name: 'record_running',
  text: `select record from sessions where ended_at is null and (created_at, id) > ($1, $2)
      and id <> all ($4::uuid[]) order by created_at, id limit $3`,
};

/**
 * Adds or replaces a record, and corrects the usage by the difference. Returns `superseded`, `lost` and
 * `ended_before`. `superseded` is true if the node has a newer epoch. `lost` is true if the node itself
 * writes, but this epoch was declared lost. If one of the two is true, or if the stored record is newer, the
 * statement changes nothing. `ended_before` is true if the stored record already had an end. The statement
 * locks and reads the rows of the node and of the record before its first write.
 *
 * $1 id, $2 node, $3 epoch, $4 version, $5 created, $6 ended or null, $7 tenant, $8 months, $9 microseconds,
 * $10 record, $11 true if the node itself writes
 */
export const SAVE: Statement = {
  name: 'record_save',
  text: `
    with life as (select epoch, state from nodes where code = $2 for key share),
    before as (
      select node, tenant, used_months, used_microseconds, (epoch, version) > ($3::bigint, $4::bigint) as newer,
        ended_at is not null as ended
      from sessions where id = $1 for update),
    state as (
      select coalesce((select epoch from life) > $3::bigint, false) as superseded,
        $11::boolean and exists (select from life where epoch = $3::bigint and state = 'lost') as lost,
        coalesce((select newer from before), false) as newer,
        coalesce((select ended from before), false) as ended_before),
    written as (
      insert into sessions (id, node, epoch, version, created_at, ended_at, tenant, used_months, used_microseconds, record)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 from state where not superseded and not lost and not newer
      on conflict (id) do update set epoch = excluded.epoch, version = excluded.version, ended_at = excluded.ended_at,
        used_months = excluded.used_months, used_microseconds = excluded.used_microseconds, record = excluded.record
      where (sessions.epoch, sessions.version) <= (excluded.epoch, excluded.version)
      returning id),
    changes as (
      select $2::char(6) as node, $7::text as tenant, unnest($8::date[]) as month, unnest($9::bigint[]) as microseconds
      union all
      select node, tenant, unnest(used_months), -unnest(used_microseconds) from before),
    counted as (
      insert into usage (node, tenant, month, microseconds)
      select node, tenant, month, sum(microseconds) from changes where exists (select from written)
      group by node, tenant, month having sum(microseconds) <> 0 order by tenant, month, node
      on conflict (tenant, month, node) do update set microseconds = usage.microseconds + excluded.microseconds)
    select superseded, lost, ended_before from state`,
};

/** Adds an empty record, to check that the database accepts new rows. $1 id, $2 node. */
export const ATTEMPT: Statement = {
  name: 'record_attempt',
  text: `insert into sessions (id, node, epoch, version, created_at, ended_at, tenant, used_months, used_microseconds, record)
    values ($1, $2, 0, 0, now(), now(), '', '{}', '{}', '')`,
};

/**
 * Deletes the oldest records of ended sessions, and returns their number. Their usage stays counted. $1 time
 * before which the sessions ended, $2 limit.
 */
export const RETIRE: Statement = {
  name: 'record_retire',
  text: `
    with old as (
      select id from sessions where ended_at < $1 order by ended_at limit $2 for update skip locked),
    gone as (delete from sessions using old where sessions.id = old.id returning 1)
    select count(*) as count from gone`,
};

/**
 * Returns the seconds of use in each month (`2030-01`). Includes the ended sessions of all nodes, and the
 * running sessions of other nodes. A running session counts until the last heartbeat of its node.
 *
 * $1 tenant (null for all tenants), $2 this node
 */
export const USAGE: Statement = {
  name: 'record_usage',
  text: `
    with running as (
      select created_at as begun, least(now(), coalesce(nodes.seen_at, created_at)) as seen
      from sessions left join nodes on nodes.code = sessions.node
      where ended_at is null and node <> $2 and ($1::text is null or tenant = $1)),
    months as (
      select begun, seen, month at time zone 'UTC' as month, (month + interval '1 month') at time zone 'UTC' as next
      from running, generate_series(date_trunc('month', begun at time zone 'UTC'), seen at time zone 'UTC', interval '1 month') as month),
    parts as (
      select month, microseconds::numeric from usage where $1::text is null or tenant = $1
      union all
      select (month at time zone 'UTC')::date,
        greatest(0, extract(epoch from least(seen, next) - greatest(begun, month)) * 1e6)::numeric from months)
    select to_char(month, 'YYYY-MM') as month, (sum(microseconds) / 1e6)::double precision as seconds
    from parts group by 1`,
};
