import type { NodeStatus, NodeReport, NodeSummary } from '../sessions/placement/nodes.js';
import type { OtherNodes } from '../sessions/placement/other-nodes.js';

/** Parts that {@link nodeOverview} needs. */
export interface NodeOverviewParts {
  summaries: readonly NodeSummary[];
  /** The report of this node. */
  report: NodeReport;
  otherNodes: Pick<OtherNodes, 'nodeReports'>;
}

/**
 * Returns all nodes, each with its report about the last `seconds`. The report is null if the node is lost,
 * has left the cluster or does not answer in time. Never rejects.
 */
export async function nodeOverview(parts: NodeOverviewParts, seconds: number): Promise<NodeStatus[]> {
  const { summaries, report, otherNodes } = parts;
  const asked = summaries.flatMap(({ own, condition, code, url, publicUrl }) =>
    own || code === null || condition === 'lost' || condition === 'left' ? [] : { code, url, publicUrl },
  );
  const reports = await otherNodes.nodeReports(asked, seconds);
  const told = new Map(asked.map(({ code }, index) => [code, reports[index] ?? null]));
  return summaries.map((summary) => ({
    summary,
    report: summary.own ? report : (told.get(summary.code ?? '') ?? null),
  }));
}
