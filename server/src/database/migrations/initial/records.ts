/**
 * Records of sessions, and the usage of ended sessions. `node` is the code of the machine that runs the
 * session: the first six digits of the session's id. A record is text, because `jsonb` cannot store every
 * string that a customer may send.
 *
 * Usage is counted when a session ends. Each machine counts in its own rows, so that two machines never write
 * the same row. The numbers are integers, so that sums of millions stay exact. Each record also stores the
 * usage that it has added (`used_months`, `used_microseconds`). If the record is saved again, only the
 * difference is added.
 *
 * `epoch` and `version` order the writes of a record. A delayed write that arrives after a newer write
 * changes nothing. A transaction that increases the epoch of a node locks the node's row `for update`. A
 * write of a session record locks the same row `for key share`. So if one of them holds its lock, the other
 * waits. The write does not block other updates of the row, such as renewals of the lease.
 */
export const sql = `
create table sessions (
  id uuid primary key,
  node char(6) not null,
  epoch bigint not null,
  version bigint not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  tenant text not null,
  used_months date[] not null,
  used_microseconds bigint[] not null,
  record text not null
) with (fillfactor = 80);
create index sessions_unfinished on sessions (node) where ended_at is null;
create index sessions_running on sessions (created_at, id) where ended_at is null;
create index sessions_ended on sessions (ended_at) where ended_at is not null;

create table usage (
  node char(6) not null,
  tenant text not null,
  month date not null,
  microseconds bigint not null,
  primary key (tenant, month, node)
) with (fillfactor = 50);
`;
