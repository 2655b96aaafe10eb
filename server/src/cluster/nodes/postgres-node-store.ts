import type { Queries, Statement } from '../../database/statement.js';
import type { LastHeartbeat } from '../../sessions/ports.js';
import type { Moment } from '../../sessions/records/session-record.js';
import {
  NameHeldError,
  type StoredPlacement,
  type HeldPlace,
  type Joined,
  type JoiningNode,
  type NodeIncarnation,
  type NodeOffer,
  type NodeRow,
  type NodeStore,
  type Renewed,
  type ReclaimedPlaces,
} from './node-store.js';

interface Unsettled {
  unsettled_since: Date | null;
  unsettled_run: string | null;
  unsettled_moment: number | null;
}

type StoredRow = Omit<NodeRow, 'unsettled'> & Unsettled;

const statement = (name: string, text: string): Statement => ({ name: `node-${name}`, text });

const COLUMNS = `code::text as code, epoch::integer as epoch, name, state, url, public_url as "publicUrl", mode, regions, draining, headroom,
  session_room as "sessionRoom", cost_room::double precision as "costRoom", used_sessions as "usedSessions",
  used_cost::double precision as "usedCost", renew_ms::double precision as interval,
  greatest(0, extract(epoch from clock_timestamp() - seen_at) * 1000)::double precision as age,
  unsettled_since, unsettled_run, unsettled_moment`;
const life = 'code = $1 and epoch = $2';

const JOIN = statement(
  'join',
  `select code, epoch, unsettled_since, unsettled_run, unsettled_moment, held_url as "heldUrl", late_in as "lateIn"
   from join_free_name($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);
const STRANGERS = statement(
  'strangers',
  `select exists (select 1 from nodes n where n.name <> $1 and n.secret_check <> $2
     and n.state = 'alive' and not node_is_late(n.seen_at, n.renew_ms)) as found`,
);
/**
 * Renews the lease of an incarnation. Does not renew a lost incarnation, because other sessions may already
 * have its places.
 */
const RENEW = statement(
  'renew',
  `with renewed as (
     update nodes set seen_at = now(), renew_ms = $3, url = $4, public_url = $5, mode = $6, regions = $7, session_room = $8,
       cost_room = $9, draining = $10, headroom = $11, seen_run = $12, seen_moment = $13
     where ${life} and state = 'alive' returning 1)
   select case when exists (select 1 from renewed) then 'held'
     when exists (select 1 from nodes where ${life} and state = 'lost') then 'lost' else 'superseded' end as answer`,
);
const LEAVE = statement('leave', 'select leave_node($1, $2)');
const LIST = statement('list', `select ${COLUMNS} from nodes order by name`);
const FIND = statement('find', `select ${COLUMNS} from nodes where code = $1`);
const LOSE = statement(
  'lose',
  'select unsettled_since, unsettled_run, unsettled_moment from lose_node($1, $2)',
);
const SETTLED = statement(
  'settled',
  `update nodes set unsettled_since = null, unsettled_run = null, unsettled_moment = null where ${life}`,
);
const TAKE_UP = statement(
  'take-up',
  'select epoch, held::text[] as held from take_up_places($1, $2, $3, $4, $5, $6, $7)',
);
const NEWER = statement(
  'newer',
  `select epoch::integer as epoch from nodes where code = $1 and epoch > $2 and home = $3 and state <> 'left'`,
);
const BOOKED = statement(
  'booked',
  `select session_id::text as "sessionId",
     (extract(epoch from clock_timestamp() - placed_at) * 1000)::double precision as age
   from placements p join nodes n on n.code = p.node
   where p.node = $1 and not (p.epoch < n.epoch and n.former_until is not null and n.former_until > clock_timestamp())`,
);
const FORGET = statement(
  'forget',
  `delete from nodes n where n.state <> 'alive' and n.over_at < now() - interval '1 day' and n.unsettled_since is null
     and not exists (select 1 from sessions s where s.node = n.code and s.ended_at is null)
     and not exists (select 1 from placements p where p.node = n.code)
     and not exists (select 1 from profile_writers w where w.node = n.code)`,
);
/**
 * Removes old rows of `create_rates`. After an hour without create requests, a row has the same state as a
 * new row.
 */
const FORGET_RATES = statement(
  'forget-rates',
  "delete from create_rates where filled_at < now() - interval '1 hour'",
);

/** The nodes of a cluster in PostgreSQL. */
export class PostgresNodeStore implements NodeStore {
  constructor(private readonly database: Queries) {}

  async join(
    { name, code, home, secretCheck }: JoiningNode,
    offer: NodeOffer,
    interval: number,
  ): Promise<Joined | undefined> {
    const values = [name, code, home, secretCheck, Math.round(interval), ...offered(offer)];
    type Answer = NodeIncarnation & Unsettled & { heldUrl: string | null; lateIn: number | null };
    const [row] = await this.database.rows<Answer>(JOIN, values);
    if (row && row.heldUrl !== null) throw new NameHeldError(row.heldUrl, row.lateIn ?? 0);
    return row && { code: row.code, epoch: row.epoch, unsettled: unsettledOf(row) };
  }

  async hasOtherSecrets({ name, secretCheck }: Pick<JoiningNode, 'name' | 'secretCheck'>): Promise<boolean> {
    const [row] = await this.database.rows<{ found: boolean }>(STRANGERS, [name, secretCheck]);
    return row?.found ?? false;
  }

  async renew(
    incarnation: NodeIncarnation,
    offer: NodeOffer,
    interval: number,
    moment: Moment,
  ): Promise<Renewed> {
    const values = [
      incarnation.code,
      incarnation.epoch,
      Math.round(interval),
      ...offered(offer),
      moment.run,
      moment.at,
    ];
    const [row] = await this.database.rows<{ answer: Renewed }>(RENEW, values);
    return row?.answer ?? 'superseded';
  }

  async leave({ code, epoch }: NodeIncarnation): Promise<void> {
    await this.database.rows(LEAVE, [code, epoch]);
  }

  async list(): Promise<NodeRow[]> {
    return (await this.database.rows<StoredRow>(LIST)).map(rowOf);
  }

  async find(code: string): Promise<NodeRow | undefined> {
    const [row] = await this.database.rows<StoredRow>(FIND, [code]);
    return row && rowOf(row);
  }

  async declareLost({ code, epoch }: NodeIncarnation): Promise<LastHeartbeat | undefined> {
    const [row] = await this.database.rows<Unsettled>(LOSE, [code, epoch]);
    return (row && unsettledOf(row)) ?? undefined;
  }

  async settled({ code, epoch }: NodeIncarnation): Promise<void> {
    await this.database.rows(SETTLED, [code, epoch]);
  }

  async reclaim(
    { code, epoch }: NodeIncarnation,
    sessions: readonly HeldPlace[],
  ): Promise<ReclaimedPlaces | undefined> {
    const column = <Key extends keyof HeldPlace>(key: Key) => sessions.map((session) => session[key]);
    const [row] = await this.database.rows<{ epoch: number; held: string[] }>(TAKE_UP, [
      ...[code, epoch, column('sessionId'), column('tag'), column('apiKey'), column('tenant')],
      sessions.map(({ cost }) => Math.round(cost)),
    ]);
    return row && { incarnation: { code, epoch: row.epoch }, held: row.held };
  }

  async newerEpoch({ code, epoch }: NodeIncarnation, home: string): Promise<number | undefined> {
    const [row] = await this.database.rows<{ epoch: number }>(NEWER, [code, epoch, home]);
    return row?.epoch;
  }

  placementsOf(code: string): Promise<StoredPlacement[]> {
    return this.database.rows<StoredPlacement>(BOOKED, [code]);
  }

  async forget(): Promise<void> {
    await this.database.rows(FORGET);
    await this.database.rows(FORGET_RATES);
  }
}

/** Returns the values in the order of the parameters of {@link JOIN} and {@link RENEW}. */
function offered(offer: NodeOffer): unknown[] {
  const { url, publicUrl, mode, regions, sessionRoom, costRoom, draining, headroom } = offer;
  return [url, publicUrl, mode, regions, sessionRoom, Math.round(costRoom), draining, headroom];
}

function rowOf({ unsettled_since, unsettled_run, unsettled_moment, ...row }: StoredRow): NodeRow {
  return { ...row, unsettled: unsettledOf({ unsettled_since, unsettled_run, unsettled_moment }) };
}

function unsettledOf({ unsettled_since, unsettled_run, unsettled_moment }: Unsettled): LastHeartbeat | null {
  if (!unsettled_since) return null;
  const known = unsettled_run !== null && unsettled_moment !== null;
  return {
    date: unsettled_since,
    ...(known && { moment: { run: unsettled_run, at: unsettled_moment } }),
  };
}
