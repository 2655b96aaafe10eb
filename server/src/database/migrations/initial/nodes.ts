/**
 * Nodes with their leases, the places of sessions on them, and the rates at which API keys create sessions.
 *
 * Each row of `nodes` changes about every two seconds, and with each placement. No index contains the
 * changing columns, and pages have free space. So updates stay within their page (heap-only tuples, HOT), and
 * need no vacuum.
 */
export const sql = `
create table nodes (
  code char(6) primary key,
  name text unique not null,
  epoch bigint not null,
  seen_at timestamptz not null default now(),
  state text not null default 'alive' check (state in ('alive', 'lost', 'left')),
  joined_at timestamptz not null default now(),
  seen_run text,
  seen_moment double precision,
  home text not null default '',
  secret_check text not null default '',
  former_until timestamptz,
  over_at timestamptz,
  unsettled_since timestamptz,
  unsettled_run text,
  unsettled_moment double precision,
  renew_ms integer not null default 2000,
  url text not null default '',
  public_url text not null default '',
  mode text not null default 'gateway',
  regions text[] not null default '{}',
  draining boolean not null default false,
  headroom boolean not null default true,
  session_room integer not null default 0,
  cost_room bigint not null default 0,
  used_sessions integer not null default 0,
  used_cost bigint not null default 0
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table placements (
  session_id uuid primary key,
  node text not null,
  epoch integer not null,
  tag text unique,
  api_key text not null,
  tenant text,
  cost bigint not null,
  placed_at timestamptz not null default now()
);
create index placements_node on placements (node);
create index placements_api_key on placements (api_key);
create index placements_tenant on placements (tenant) where tenant is not null;

create table create_rates (
  api_key text not null,
  part integer not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  primary key (api_key, part)
) with (fillfactor = 40);
`;
