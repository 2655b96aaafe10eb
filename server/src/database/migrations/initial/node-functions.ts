/**
 * Functions that change several rows of nodes and placements.
 *
 * Each such change is a function in the database. So its locks last only while the database works on it. A
 * client that stops during a call does not keep the locks. To prevent deadlocks, all functions lock in this
 * order: the limits of a key, the limits of a tenant, a row of `create_rates`, a row of `nodes`, rows of
 * `placements`. Only a join and `take_up_places` lock rows of `nodes` so strongly that writes of session
 * records must wait.
 *
 * `join_free_name` joins a node if no other process uses its name. Another process uses the name if its home
 * (the id of its state directory) differs and its lease is not late. In that case the function refuses the
 * join, and returns a row without a code.
 */
export const sql = `
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
  -- An earlier process with another home may still run. Its places stay reserved until it releases them, or until it would count as lost.
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

create function join_free_name(
  p_name text, p_code text, p_home text, p_secret_check text, p_renew_ms integer, p_url text, p_public_url text, p_mode text, p_regions text[],
  p_session_room integer, p_cost_room bigint, p_draining boolean, p_headroom boolean
) returns table (
  code text, epoch integer, unsettled_since timestamptz, unsettled_run text, unsettled_moment double precision, held_url text, late_in double precision
) language plpgsql as $$
#variable_conflict use_column
declare
  holder record;
begin
  select n.url, n.state, n.home, n.seen_at, n.renew_ms into holder from nodes n where n.name = p_name for update;
  if found and holder.state = 'alive' and holder.home <> p_home and not node_is_late(holder.seen_at, holder.renew_ms) then
    return query select null, null::integer, null::timestamptz, null, null::double precision, holder.url,
      (extract(epoch from holder.seen_at - clock_timestamp()) * 1000 + 3 * holder.renew_ms)::double precision;
    return;
  end if;
  return query select j.code, j.epoch, j.unsettled_since, j.unsettled_run, j.unsettled_moment, null, null::double precision
    from join_node(p_name, p_code, p_home, p_secret_check, p_renew_ms, p_url, p_public_url, p_mode, p_regions,
      p_session_room, p_cost_room, p_draining, p_headroom) j;
end $$;

create function leave_node(p_code text, p_epoch integer) returns void language plpgsql as $$
begin
  update nodes set state = 'left', over_at = now(), seen_at = now(), draining = true, used_sessions = 0, used_cost = 0
    where code = p_code and epoch = p_epoch;
  -- Places of sessions that an earlier process may still run stay reserved, see join_node.
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
`;
