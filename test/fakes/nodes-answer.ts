import type { NodeAnswer, NodeHistory, NodesAnswer } from '../../demo/operator/nodes/nodes-answer.js';

/** A history of samples in which nothing happens. The given functions of a sample's place replace values. */
export function historyOf(
  count: number,
  given: { [Key in keyof NodeHistory]?: (index: number) => NodeHistory[Key][number] } = {},
): NodeHistory {
  const column = <Key extends keyof NodeHistory>(key: Key, otherwise: NodeHistory[Key][number]) =>
    Array.from({ length: count }, (_, index) => given[key]?.(index) ?? otherwise) as NodeHistory[Key];
  return {
    sessions: column('sessions', 0),
    viewers: column('viewers', 0),
    agents: column('agents', 0),
    starts: column('starts', 0),
    start_times: column('start_times', []),
    rejections: column('rejections', {}),
    load: column('load', 0),
    free_bytes: column('free_bytes', 2 ** 30),
    database: column('database', null),
  };
}

/** A single node without problems. The given values replace its own. */
export function nodeAnswer(given: Partial<NodeAnswer> = {}): NodeAnswer {
  return {
    ...{ name: 'one', condition: 'alive', own: true, regions: ['EU'] },
    ...{ sessions: 0, session_room: 8, cost: 0, cost_room: null, headroom: true, lease_age: null },
    report: reportOf(1, historyOf(1)),
    ...given,
  };
}

/** Report of a node after this number of samples. The newest are in its history. */
export function reportOf(
  number: number,
  history: NodeHistory,
  run = 'first',
): NonNullable<NodeAnswer['report']> {
  return { version: '1.2.3', run, cores: 8, memory_bytes: 32 * 2 ** 30, number, history };
}

/** The answer of a service that has these nodes. */
export function nodesAnswer(...nodes: NodeAnswer[]): NodesAnswer {
  return { interval: 5, nodes };
}
