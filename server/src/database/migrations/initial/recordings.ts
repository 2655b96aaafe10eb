/**
 * The index of recordings, and the tokens that give access to them. `record` is JSON with all data. The other
 * columns are for filters. `removed_recordings` lists recordings that were not `ready` when another node
 * removed them. Its column `node` is the node that made the recording. That node may still have the files.
 */
export const sql = `
create table recordings (
  id uuid primary key,
  node char(6) not null,
  session_id text not null,
  tenant text,
  tag text,
  state text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  bytes bigint not null,
  users text[] not null default '{}',
  record text not null
);
create index recordings_by_start on recordings (started_at desc, id desc);
create index recordings_of_session on recordings (session_id);
create index recordings_of_user on recordings using gin (users);
create index recordings_by_end on recordings (ended_at);
create index recordings_unfinished on recordings (node) where state in ('recording', 'finalizing');

create table removed_recordings (
  id uuid primary key,
  node char(6) not null,
  removed_at timestamptz not null default now()
);
create index removed_recordings_of_node on removed_recordings (node);

create table replay_tokens (
  recording_id uuid not null references recordings on delete cascade,
  id text not null,
  hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (recording_id, id)
);
`;
