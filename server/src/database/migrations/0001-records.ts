/**
 * Machines, records of sessions, and what ended ones have used. `node` is the code of the machine that a session runs on, the first six
 * digits of its id. A record is text, not `jsonb`, which cannot hold every string that a customer may send.
 *
 * Usage is counted when a session ends, by machine, so that no two machines write the same row, and in whole numbers, so that millions of sums
 * stay exact. What a record has added stands beside it (`used_months`, `used_microseconds`): one that is saved again adds the difference.
 *
 * `epoch` and `version` order the writes of a record: one that was stuck on its way and comes behind a newer one changes nothing.
 * Whoever raises the epoch of a node takes its row `for update`; writes of a node take it `for key share`, which holds up no other
 * change of the row.
 */
export const sql = `
create table nodes (
  code char(6) primary key,
  name text unique not null,
  epoch bigint not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

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
