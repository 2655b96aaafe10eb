import { Type, type Static } from 'typebox';

/** How much of the past is asked for. */
export const NodesQuery = Type.Object({
  seconds: Type.Optional(
    Type.String({
      pattern: '^\\d{1,4}$',
      description:
        'For how many of the last seconds the history is answered, 0 to 3600. Without it, none is.',
    }),
  ),
});

const nullable = <Schema extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(
  schema: Schema,
) => Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });
const list = (description: string) => Type.Array(Type.Number(), { description });

/** The last of a node, a number for each five seconds. */
const History = Type.Object({
  sessions: list('Sessions.'),
  viewers: list('Connected viewers.'),
  starts: list('Sessions that showed their page.'),
  start_times: Type.Array(
    list('Milliseconds from the request until the page was shown, of each such session.'),
  ),
  rejections: Type.Array(
    Type.Record(Type.String(), Type.Number(), { description: 'Refusals, by error code.' }),
  ),
  load: list('The part of the processor in use, 0 to 1.'),
  free_bytes: list('Memory that programs could still have.'),
  database: Type.Array(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }), {
    description: 'Whether the database was reachable; null without one.',
  }),
});

/** What a node tells of itself. */
const Report = Type.Object({
  version: Type.String(),
  run: Type.String({ description: 'Names the process: another one begins its history anew.' }),
  cores: Type.Number(),
  memory_bytes: Type.Number(),
  number: Type.Number({ description: 'How many samples this process has made so far.' }),
  history: History,
});

/** A node, for operators. */
export const NodeView = Type.Object({
  name: Type.String(),
  code: nullable(Type.String({ description: 'What its session ids begin with; null on a single machine.' })),
  condition: Type.String({ description: 'alive, draining, late, lost or left.' }),
  own: Type.Boolean({ description: 'It is the node that answers.' }),
  url: Type.String(),
  public_url: Type.String(),
  mode: nullable(Type.String({ description: 'direct or gateway; null on a single machine.' })),
  regions: Type.Array(Type.String()),
  sessions: Type.Number(),
  session_room: Type.Number(),
  cost: Type.Number({ description: 'Of its sessions, in pixels times frames a second.' }),
  cost_room: nullable(Type.Number()),
  draining: Type.Boolean(),
  headroom: Type.Boolean({ description: 'False while its memory or its processor is exhausted.' }),
  lease_age: nullable(Type.Number({ description: 'Seconds since its last sign of life.' })),
  report: Type.Unsafe<Static<typeof Report> | null>({
    ...Report,
    type: ['object', 'null'],
    description: 'Null when the node does not answer within a second, or is gone.',
  }),
});
export type NodeView = Static<typeof NodeView>;

/** All nodes. */
export const NodeList = Type.Object({
  interval: Type.Number({ description: 'Seconds between two numbers of a history.' }),
  nodes: Type.Array(NodeView),
});
