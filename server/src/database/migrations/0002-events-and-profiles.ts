/**
 * Events that wait for their delivery, each with the node that delivers it, and profiles: sealed, in pieces of a version each. The pieces are random
 * bytes, so the database need not try to compress them.
 */
export const sql = `
create table events (
  id text primary key,
  node char(6) not null,
  session_id text not null,
  event text not null
);
create index events_of_node on events (node, id);

create table profiles (
  id text primary key,
  version uuid not null,
  bytes bigint not null,
  saved_at timestamptz not null default now()
);
create table profile_chunks (
  version uuid not null,
  number integer not null,
  chunk bytea not null,
  stored_at timestamptz not null default now(),
  primary key (version, number)
);
alter table profile_chunks alter column chunk set storage external;
create table profile_writers (
  profile text primary key,
  session_id text,
  node char(6) not null,
  epoch bigint not null
);
create index profile_chunks_stored on profile_chunks (stored_at) where number = 0;
`;
