/**
 * Nodes with their leases, the places of sessions on them, and how fast keys create sessions.
 *
 * What changes several rows is a function in the database: its locks are held for as long as the database works on it, and never
 * while an answer is on its way to a node that has just been stopped. Functions lock in this order, so none waits in a circle: the
 * limits of a key, of a tenant, a row of `create_rates`, a row of `nodes`, rows of `placements`. Rows of `nodes` are locked so that records
 * of sessions can be written meanwhile, except by a join.
 *
 * Rows of `nodes` change twice a second and more: none of what changes stands in an index, and pages keep room, so that updates stay
 * within their page (HOT) and leave nothing to vacuum.
 */
export const sql = `
alter table nodes
  add column state text not null default 'alive' check (state in ('alive', 'lost', 'left')),
  add column joined_at timestamptz not null default now(),
  add column seen_run text,
  add column seen_moment double precision,
  add column home text not null default '',
  add column secret_check text not null default '',
  add column former_until timestamptz,
  add column over_at timestamptz,
  add column unsettled_since timestamptz,
  add column unsettled_run text,
  add column unsettled_moment double precision,
  add column renew_ms integer not null default 2000,
  add column url text not null default '',
  add column public_url text not null default '',
  add column mode text not null default 'gateway',
  add column regions text[] not null default '{}',
  add column draining boolean not null default false,
  add column headroom boolean not null default true,
  add column session_room integer not null default 0,
  add column cost_room bigint not null default 0,
  add column used_sessions integer not null default 0,
  add column used_cost bigint not null default 0;
alter table nodes set (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

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

create function node_is_late(p_seen_at timestamptz, p_renew_ms integer) returns boolean language sql volatile as $$
  select clock_timestamp() - p_seen_at > p_renew_ms * interval '3 milliseconds'
$$;

create function join_node(
  p_name text, p_code text, p_home text, p_secret_check text, p_renew_ms integer, p_url text, p_public_url text, p_mode text, p_regions text[],
  p_session_room integer, p_cost_room bigint, p_draining boolean, p_headroom boolean
) returns table (code text, epoch integer, unsettled_since timestamptz, unsettled_run text, unsettled_moment double precision)
language plpgsql as $$
#variable_conflict use_column
declare
  own text;
  former record;
begin
  -- A former process may still run when it was not of the same home: its places stay until it has given them back, or would be lost.
  select n.code, n.epoch, n.former_until, n.seen_at + greatest(60000, 6 * n.renew_ms) * interval '1 millisecond' as lost_at,
      n.state = 'alive' and n.home <> p_home and n.seen_at + greatest(60000, 6 * n.renew_ms) * interval '1 millisecond' > now() as may_run
    into former from nodes n where n.name = p_name for update;
  own := former.code;
  if not found then
    insert into nodes (code, name, epoch) values (p_code, p_name, 0) on conflict do nothing;
    if not found then return; end if;
    own := p_code;
  end if;
  delete from placements p where p.node = own
    and not (p.epoch = former.epoch and former.may_run) and (p.epoch = former.epoch or former.former_until is null or former.former_until < now());
  return query update nodes n set epoch = n.epoch + 1, state = 'alive', joined_at = now(), seen_at = now(), over_at = null,
      home = p_home, secret_check = p_secret_check, former_until = case when former.may_run then former.lost_at else n.former_until end,
      unsettled_since = case when n.state = 'alive' and n.epoch > 0 then coalesce(n.unsettled_since, n.seen_at) else n.unsettled_since end,
      unsettled_run = case when n.state = 'alive' and n.unsettled_since is null then n.seen_run else n.unsettled_run end,
      unsettled_moment = case when n.state = 'alive' and n.unsettled_since is null then n.seen_moment else n.unsettled_moment end,
      renew_ms = p_renew_ms, url = p_url, public_url = p_public_url, mode = p_mode, regions = p_regions,
      session_room = p_session_room, cost_room = p_cost_room, draining = p_draining, headroom = p_headroom,
      used_sessions = (select count(*) from placements p where p.node = own),
      used_cost = (select coalesce(sum(p.cost), 0) from placements p where p.node = own)
    where n.code = own
    returning n.code::text, n.epoch::integer, n.unsettled_since, n.unsettled_run, n.unsettled_moment;
end $$;

create function leave_node(p_code text, p_epoch integer) returns void language plpgsql as $$
begin
  update nodes set state = 'left', over_at = now(), seen_at = now(), draining = true, used_sessions = 0, used_cost = 0
    where code = p_code and epoch = p_epoch;
  -- What a former process may still run stays taken, see join_node.
  if found then
    delete from placements p using nodes n
      where p.node = p_code and n.code = p_code and (p.epoch >= p_epoch or n.former_until is null or n.former_until <= now());
  end if;
end $$;

create function lose_node(p_code text, p_epoch integer)
returns table (unsettled_since timestamptz, unsettled_run text, unsettled_moment double precision) language plpgsql as $$
#variable_conflict use_column
begin
  return query update nodes n set state = 'lost', over_at = now(), used_sessions = 0, used_cost = 0,
      unsettled_since = coalesce(n.unsettled_since, n.seen_at),
      unsettled_run = case when n.unsettled_since is null then n.seen_run else n.unsettled_run end,
      unsettled_moment = case when n.unsettled_since is null then n.seen_moment else n.unsettled_moment end
    where n.code = p_code and n.epoch = p_epoch and n.state = 'alive'
      and clock_timestamp() - n.seen_at > greatest(60000, 6 * n.renew_ms) * interval '1 millisecond'
    returning n.unsettled_since, n.unsettled_run, n.unsettled_moment;
  if found then delete from placements where node = p_code; end if;
end $$;

create function take_up_places(
  p_code text, p_epoch integer, p_ids uuid[], p_tags text[], p_keys text[], p_tenants text[], p_costs bigint[]
) returns table (epoch integer, held uuid[]) language plpgsql as $$
#variable_conflict use_column
declare
  life integer;
begin
  perform 1 from nodes n where n.code = p_code and n.epoch = p_epoch and n.state <> 'left' for update;
  if not found then return; end if;
  update nodes n set epoch = n.epoch + case when n.state = 'lost' then 1 else 0 end, state = 'alive', over_at = null, seen_at = now(),
      unsettled_since = case when n.state = 'lost' then null else n.unsettled_since end,
      unsettled_run = case when n.state = 'lost' then null else n.unsettled_run end,
      unsettled_moment = case when n.state = 'lost' then null else n.unsettled_moment end
    where n.code = p_code returning n.epoch into life;
  insert into placements (session_id, node, epoch, tag, api_key, tenant, cost)
    select s.id, p_code, life, s.tag, s.api_key, s.tenant, s.cost
      from unnest(p_ids, p_tags, p_keys, p_tenants, p_costs) as s (id, tag, api_key, tenant, cost)
    order by s.tag on conflict do nothing;
  update nodes n set used_sessions = (select count(*) from placements p where p.node = p_code),
      used_cost = (select coalesce(sum(p.cost), 0) from placements p where p.node = p_code)
    where n.code = p_code;
  return query select life, coalesce(array_agg(p.session_id), '{}') from placements p
    where p.node = p_code and p.session_id = any (p_ids);
end $$;

create function release_places(p_node text, p_ids uuid[]) returns void language plpgsql as $$
begin
  perform 1 from nodes where code = p_node for no key update;
  with gone as (delete from placements where session_id = any (p_ids) and node = p_node returning cost),
       freed as (select count(*) as sessions, coalesce(sum(cost), 0) as cost from gone)
  update nodes set used_sessions = greatest(0, used_sessions - freed.sessions), used_cost = greatest(0, used_cost - freed.cost)
    from freed where code = p_node;
end $$;

create function place_session(
  p_id uuid, p_tag text, p_key text, p_tenant text, p_regions text[], p_cost bigint,
  p_rate double precision, p_parts integer, p_key_limit integer, p_tenant_limit integer, p_avoid text[]
) returns table (kind text, session_id uuid, code text, epoch integer, url text, public_url text, wait_ms double precision, served text[])
language plpgsql as $$
#variable_conflict use_column
declare
  share double precision := p_rate / p_parts;
  holder record;
  rate record;
  chosen record;
  made uuid;
begin
  loop
    if p_tag is not null then
      select p.session_id, n.code, n.epoch, n.url, n.public_url, n.seen_at, n.renew_ms, p.epoch < n.epoch and n.former_until > clock_timestamp() as of_former,
          n.former_until, n.state into holder
        from placements p join nodes n on n.code = p.node where p.tag = p_tag;
      if found and holder.state <> 'alive' and not coalesce(holder.of_former, false) then
        -- Of a former process that has had its time, and nobody has come after it to give this back.
        delete from placements p where p.session_id = holder.session_id;
      elsif found and holder.state = 'alive' and node_is_late(holder.seen_at, holder.renew_ms) then
        return query select 'tag_busy', null::uuid, null, null::integer, null, null, greatest(1000, extract(epoch from
          holder.seen_at - clock_timestamp() + greatest(60000, 6 * holder.renew_ms) * interval '1 millisecond') * 1000)::double precision, null::text[];
        return;
      elsif found and holder.of_former then
        return query select 'tag_busy', null::uuid, null, null::integer, null, null,
          greatest(1000, extract(epoch from holder.former_until - clock_timestamp()) * 1000)::double precision, null::text[];
        return;
      elsif found then
        return query select 'exists', holder.session_id, holder.code::text, holder.epoch::integer, holder.url, holder.public_url, null::double precision, null::text[];
        return;
      end if;
    end if;

    if p_key_limit is not null then
      perform pg_advisory_xact_lock(hashtextextended('sessions of key ' || p_key, 0));
      if (select count(*) from (select 1 from placements where api_key = p_key limit p_key_limit) as held) >= p_key_limit then
        return query select 'key_limit', null::uuid, null, null::integer, null, null, null::double precision, null::text[];
        return;
      end if;
    end if;
    if p_tenant_limit is not null and p_tenant is not null then
      perform pg_advisory_xact_lock(hashtextextended('sessions of tenant ' || p_tenant, 0));
      if (select count(*) from (select 1 from placements where tenant = p_tenant limit p_tenant_limit) as held) >= p_tenant_limit then
        return query select 'tenant_limit', null::uuid, null, null::integer, null, null, null::double precision, null::text[];
        return;
      end if;
    end if;

    -- The fullest row that nobody is just counting in; when all with something left are being counted in, the turn is waited for.
    for attempt in 1..3 loop
      if attempt < 3 then
        select r.part, least(share, r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.filled_at)) * share / 60) as tokens
          into rate from create_rates r
          where r.api_key = p_key and r.part < p_parts
            and least(share, r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.filled_at)) * share / 60) >= 1
          order by 2 desc limit 1 for update skip locked;
        exit when found;
        if attempt = 1 then
          insert into create_rates (api_key, part, tokens, filled_at)
            select p_key, part, share, clock_timestamp() from generate_series(0, p_parts - 1) as part on conflict do nothing;
        end if;
      else
        select r.part, least(share, r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.filled_at)) * share / 60) as tokens
          into rate from create_rates r
          where r.api_key = p_key and r.part < p_parts
            and least(share, r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.filled_at)) * share / 60) >= 1
          order by random() limit 1 for update;
        if not found then
          return query select 'too_fast', null::uuid, null, null::integer, null, null,
            (select min(1 - least(1, r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.filled_at)) * share / 60)) * 60000 / share
              from create_rates r where r.api_key = p_key and r.part < p_parts), null::text[];
          return;
        end if;
      end if;
    end loop;

    -- Likewise the least used node; whoever else is placing a session takes the next one meanwhile.
    select n.code, n.epoch, n.url, n.public_url into chosen from nodes n
      where n.state = 'alive' and not n.draining and n.headroom and not node_is_late(n.seen_at, n.renew_ms)
        and (cardinality(p_regions) = 0 or n.regions && p_regions)
        and n.code <> all (p_avoid) and n.used_sessions < n.session_room and n.used_cost + p_cost <= n.cost_room
      order by greatest((n.used_sessions + 1)::double precision / n.session_room, (n.used_cost + p_cost)::double precision / n.cost_room), random()
      limit 1 for no key update skip locked;
    if not found then
      select n.code, n.epoch, n.url, n.public_url into chosen from nodes n
        where n.state = 'alive' and not n.draining and n.headroom and not node_is_late(n.seen_at, n.renew_ms)
          and (cardinality(p_regions) = 0 or n.regions && p_regions)
          and n.code <> all (p_avoid) and n.used_sessions < n.session_room and n.used_cost + p_cost <= n.cost_room
        order by random() limit 1 for no key update;
    end if;
    if not found then
      if cardinality(p_regions) > 0 and not exists (select 1 from nodes n where n.state = 'alive' and n.regions && p_regions) then
        return query select 'no_region', null::uuid, null, null::integer, null, null, null::double precision,
          (select coalesce(array_agg(distinct region), '{}') from nodes n, unnest(n.regions) as region where n.state = 'alive');
      else
        return query select 'full', null::uuid, null, null::integer, null, null, null::double precision, null::text[];
      end if;
      return;
    end if;

    made := overlay(p_id::text placing chosen.code from 1 for 6)::uuid;
    insert into placements (session_id, node, epoch, tag, api_key, tenant, cost, placed_at)
      values (made, chosen.code, chosen.epoch, p_tag, p_key, p_tenant, p_cost, clock_timestamp()) on conflict (tag) do nothing;
    if found then
      update nodes n set used_sessions = n.used_sessions + 1, used_cost = n.used_cost + p_cost where n.code = chosen.code;
      update create_rates r set tokens = rate.tokens - 1, filled_at = clock_timestamp() where r.api_key = p_key and r.part = rate.part;
      return query select 'begin', made, chosen.code::text, chosen.epoch::integer, chosen.url, chosen.public_url, null::double precision, null::text[];
      return;
    end if;
    -- Somebody else has just taken the tag, and the next look finds them.
  end loop;
end $$;
`;
