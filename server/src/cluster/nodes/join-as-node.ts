import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../platform/coded-error.js';
import { NODE_CODE_LENGTH } from '../../sessions/session-id.js';
import { withClockTimeout } from '../clock-timeout.js';
import { RENEWAL_MS } from './lateness.js';
import { CALL_MS, Lease, type LeaseParts } from './lease.js';
import { joinWhenFree } from './taken-name.js';

/**
 * Number of node codes that a join tries: first the code that {@link usualCode} returns, then random codes.
 * There are 16 million codes, so a random code is almost always free.
 */
const JOIN_TRIES = 8;

/** Dependencies and options of {@link joinAsNode}. */
export interface JoinParts extends LeaseParts {
  /** See `JoiningNode`. */
  secretCheck: string;
}

/** The cluster cannot be joined. */
export class JoinError extends CodedError {
  readonly code = 'err_start';
}

/**
 * Joins the cluster as a node, and returns its lease. Rejects with {@link JoinError}, `NameTakenError` or
 * `DatabaseError`.
 */
export async function joinAsNode(parts: JoinParts): Promise<Lease> {
  const { store, clock, log, name, home, secretCheck } = parts;
  // Nodes with different secrets would refuse each other's requests, tokens and profiles.
  if (await withClockTimeout(clock, store.hasOtherSecrets({ name, secretCheck }), CALL_MS))
    throw new JoinError(
      'Other nodes of this cluster run with another CLUSTER_SECRET. Set the same secret on all machines. To change it, stop all nodes first.',
    );
  for (let tries = 0; tries < JOIN_TRIES; tries++) {
    let sentAt = clock.now();
    const code = tries === 0 ? usualCode(name) : randomBytes(3).toString('hex');
    const joined = await joinWhenFree(parts, () => {
      sentAt = clock.now();
      const joining = store.join({ name, code, home, secretCheck }, parts.offer(), RENEWAL_MS);
      return withClockTimeout(clock, joining, CALL_MS);
    });
    if (!joined) continue;
    const incarnation = { code: joined.code, epoch: joined.epoch };
    log.info('joined the cluster', { node: name, ...incarnation });
    return new Lease(parts, incarnation, sentAt, joined.unsettled);
  }
  throw new JoinError(`Found no free code for the node ${name}. Start the service again.`);
}

/**
 * Returns the code that a new node normally gets. If another node has this code, the new node gets a random
 * code. The usual code depends only on the name. So operators can write the code into the routing table of a
 * reverse proxy before the node starts.
 */
export function usualCode(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, NODE_CODE_LENGTH);
}
