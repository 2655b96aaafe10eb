/**
 * Profiles and their writers. A profile is encrypted and stored in chunks. Each chunk belongs to one version
 * of the profile. The chunks look like random bytes, so the database does not try to compress them.
 * `saved_by` is the session that saved the profile.
 *
 * A row of `profile_writers` shows that a session may write a profile. The row stays after the lease of the
 * session's node has ended. `webhook` (JSON) is the endpoint that receives an event if the data is lost.
 * `has_left`: the session has ended and its data is not saved yet. `given_up_at`: time at which an operator
 * decided to abandon the data. After that, the service sends the event to the endpoint, and deletes the row.
 */
export const sql = `
create table profiles (
  id text primary key,
  version uuid not null,
  bytes bigint not null,
  saved_at timestamptz not null default now(),
  saved_by text
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
  epoch bigint not null,
  webhook text,
  claimed_at timestamptz not null default now(),
  has_left boolean not null default false,
  given_up_at timestamptz
);
create index profile_writers_node on profile_writers (node);
create index profile_chunks_stored on profile_chunks (stored_at) where number = 0;
`;
