import { Type, type Static } from 'typebox';

/** The requested length of the history. */
export const NodesQuery = Type.Object({
  seconds: Type.Optional(
    Type.String({
      pattern: '^\\d{1,4}$',
      description: 'Number of seconds of history to return, 0 to 3600. Default: only the newest sample.',
    }),
  ),
});

const nullable = <Schema extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(
  schema: Schema,
) => Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
const list = (description: string) => Type.Array(Type.Number(), { description });

/** The recent history of a node. Each list has one entry for every five seconds. */
const History = Type.Object({
  sessions: list('Sessions.'),
  viewers: list('Connected viewers.'),
  agents: list('Programs that drive sessions.'),
  starts: list('Sessions that showed their page.'),
  start_times: Type.Array(
    list('For at most 100 of these sessions: milliseconds from the create request until the page was shown.'),
  ),
  rejections: Type.Array(
    Type.Record(Type.String(), Type.Number(), { description: 'Refusals, by error code.' }),
  ),
  load: list('Processor use, 0 to 1.'),
  free_bytes: list('Free memory in bytes.'),
  database: Type.Array(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }), {
    description: 'True if the database was reachable. Null without a database.',
  }),
});

/** The report of a node about itself. */
const Report = Type.Object({
  version: Type.String(),
  run: Type.String({ description: 'Id of the process. Each process starts its own history.' }),
  cores: Type.Number(),
  memory_bytes: Type.Number(),
  number: Type.Number({ description: 'Number of samples that this process has made so far.' }),
  history: History,
});

/** A node, for operators. */
export const NodeView = Type.Object({
  name: Type.String(),
  code: nullable(Type.String({ description: 'Prefix of its session ids. Null on a single machine.' })),
  condition: Type.String({ description: 'alive, draining, late, lost or left.' }),
  own: Type.Boolean({ description: 'True for the node that answers this request.' }),
  url: Type.String(),
  public_url: Type.String(),
  mode: nullable(Type.String({ description: 'direct or gateway; null on a single machine.' })),
  regions: Type.Array(Type.String()),
  sessions: Type.Number(),
  session_room: Type.Number(),
  cost: Type.Number({ description: 'Total cost of its sessions, in pixels times frames per second.' }),
  cost_room: nullable(Type.Number()),
  draining: Type.Boolean(),
  headroom: Type.Boolean({
    description:
      'False while its memory or its processor is exhausted, or sessions do not start on it. If it is the only ' +
      'machine, it still starts sessions while its memory or its processor is exhausted.',
  }),
  lease_age: nullable(Type.Number({ description: 'Seconds since its last heartbeat.' })),
  report: Type.Unsafe<Static<typeof Report> | null>({
    ...Report,
    type: ['object', 'null'],
    description: 'Null when the node does not answer within a second, or is gone.',
  }),
});
export type NodeView = Static<typeof NodeView>;

/** All nodes. */
export const NodeList = Type.Object({
  interval: Type.Number({ description: 'Seconds between two samples of a history.' }),
  nodes: Type.Array(NodeView),
});
