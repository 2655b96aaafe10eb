/**
 * Placement of a session on the least used node, within the limits of its key and its tenant. The file
 * `node-functions.ts` describes the order of the locks.
 */
export const sql = `
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
        -- The process that held this placement has ended. No later process of the node has deleted the placement.
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

    -- Selects the unlocked row with the most tokens. If all rows with at least one token are locked, waits for one.
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

    -- Selects the least used node that is not locked. Other transactions skip the locked node. If all are locked, waits.
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
    -- Another transaction has just placed a session with this tag. The next pass of the outer loop finds it.
  end loop;
end $$;
`;
