import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../auth/api-keys.js';
import { invalidParameter } from '../../service-error.js';
import {
  HISTORY_SECONDS,
  SAMPLE_SECONDS,
  type NodeStatus,
  type NodeReport,
  type NodeSample,
} from '../../sessions/placement/nodes.js';
import { requireApiKey } from '../access/credential.js';
import { NodeList, NodesQuery, type NodeView } from '../schemas/nodes.js';

/** Parts that the route of nodes needs. */
export interface NodeRoutesParts {
  operatorKeys: ApiKeys;
  /** Returns all nodes, with the reports of the nodes that answer. */
  nodeOverview: (seconds: number) => Promise<NodeStatus[]>;
}

/** `GET /v0/nodes`: lists the nodes. Needs an operator key. */
export function nodeRoutes({ operatorKeys, nodeOverview }: NodeRoutesParts): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(operatorKeys));
    app.get(
      '/v0/nodes',
      {
        schema: {
          tags: ['Health'],
          summary: 'List the nodes with their measurements',
          security: [{ operatorKey: [] }],
          querystring: NodesQuery,
          response: { 200: NodeList },
        },
      },
      async ({ query }, reply) => {
        const seconds = Number(query.seconds ?? 0);
        if (seconds > HISTORY_SECONDS) throw invalidParameter('seconds', `from 0 to ${HISTORY_SECONDS}`);
        reply.header('cache-control', 'no-store');
        const nodes = await nodeOverview(seconds);
        return { interval: SAMPLE_SECONDS, nodes: nodes.map((look) => view(look, seconds)) };
      },
    );
    done();
  };
}

function view({ summary, report }: NodeStatus, seconds: number): NodeView {
  const { publicUrl, sessionRoom, costRoom, leaseAge, regions, ...same } = summary;
  return {
    ...same,
    public_url: publicUrl,
    session_room: sessionRoom,
    cost_room: costRoom,
    regions: [...regions],
    lease_age: leaseAge === null ? null : Math.round(leaseAge / 100) / 10,
    report: report && reportView(report, seconds),
  };
}

/**
 * Converts a report to the form of the API. The result contains at least the last sample, because this sample
 * shows the present state of the node.
 */
function reportView(report: NodeReport, seconds: number): NonNullable<NodeView['report']> {
  const { samples, memoryBytes, ...same } = report;
  const shown = samples.slice(-Math.max(1, Math.ceil(seconds / SAMPLE_SECONDS)));
  const column = <Key extends keyof NodeSample>(key: Key) => shown.map((sample) => sample[key]);
  return {
    ...same,
    memory_bytes: memoryBytes,
    history: {
      sessions: column('sessions'),
      viewers: column('viewers'),
      agents: column('agents').map((count) => count ?? 0),
      starts: column('starts'),
      start_times: column('startTimes').map((times) => [...times]),
      rejections: column('rejections').map((counts) => ({ ...counts })),
      load: column('load'),
      free_bytes: column('freeBytes'),
      database: column('database'),
    },
  };
}
