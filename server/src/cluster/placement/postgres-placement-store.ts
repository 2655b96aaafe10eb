import type { Queries, Statement } from '../../database/statement.js';
import { nodeCodeOf } from '../../sessions/session-id.js';
import type { Region } from '../../create-fields/values/region.js';
import type { NodeIncarnation } from '../nodes/node-store.js';
import {
  rateRows,
  type PlaceAnswer,
  type PlacedNode,
  type PlacementLimits,
  type PlacementStore,
  type PlaceQuery,
} from './placement-store.js';

const PLACE: Statement = {
  name: 'placement-place',
  text: `select kind, session_id::text as id, code, epoch, url, public_url as "publicUrl", wait_ms as wait, served
    from place_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
};
const RELEASE: Statement = { name: 'placement-release', text: 'select release_places($1, $2)' };
const HOLDS: Statement = {
  name: 'placement-holds',
  text: 'select 1 from placements where session_id = $1 and node = $2 and epoch = $3',
};

interface PlacedRow extends PlacedNode {
  kind: PlaceAnswer['kind'];
  id: string;
  wait: number;
  served: Region[] | null;
}

/** The places of sessions in PostgreSQL. Each call is one statement. */
export class PostgresPlacementStore implements PlacementStore {
  constructor(private readonly database: Queries) {}

  async place(query: PlaceQuery, limits: PlacementLimits): Promise<PlaceAnswer> {
    const { id, tag, apiKey, tenant, regions, cost, avoid } = query;
    const { createsPerMinute, maxPerKey, maxPerTenant } = limits;
    const [row] = await this.database.rows<PlacedRow>(PLACE, [
      ...[id, tag, apiKey, tenant, regions, Math.round(cost)],
      ...[createsPerMinute, rateRows(createsPerMinute), maxPerKey, maxPerTenant, avoid],
    ]);
    if (!row) throw new Error('The database did not answer a placement request.');
    const { code, epoch, url, publicUrl } = row;
    switch (row.kind) {
      case 'begin':
      case 'exists':
        return { kind: row.kind, id: row.id, node: { code, epoch, url, publicUrl } };
      case 'tag_busy':
      case 'too_fast':
        return { kind: row.kind, wait: row.wait };
      case 'no_region':
        return { kind: 'no_region', served: row.served ?? [] };
      default:
        return { kind: row.kind };
    }
  }

  async release(sessionIds: readonly string[]): Promise<void> {
    const byNode = new Map<string, string[]>();
    for (const id of sessionIds) byNode.set(nodeCodeOf(id), [...(byNode.get(nodeCodeOf(id)) ?? []), id]);
    // Releases the places of one node in each statement, because statements that lock two nodes could
    // deadlock.
    for (const [code, ids] of byNode) await this.database.rows(RELEASE, [code, ids]);
  }

  async holds(sessionId: string, { code, epoch }: NodeIncarnation): Promise<boolean> {
    return (await this.database.rows(HOLDS, [sessionId, code, epoch])).length > 0;
  }
}
