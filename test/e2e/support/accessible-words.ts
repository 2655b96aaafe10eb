import type { CDPSession, Page } from '@playwright/test';
import type { Protocol } from 'devtools-protocol';

type AxNode = Protocol.Accessibility.AXNode;
interface Tree {
  nodes: AxNode[];
}

/** Roles of text lines, and of nodes that their content describes. */
const UNTOLD = [
  'InlineTextBox',
  'none',
  'generic',
  'LabelText',
  'Legend',
  'MenuListPopup',
  'Section',
  'ListMarker',
];
/** Chromium's own roles, and the ARIA roles that the mirror uses for them. */
const SAME: Record<string, string> = { RootWebArea: 'document', Iframe: 'group' };

/** Role and name of all nodes that a page's own browser reports to assistive technology, sorted. */
export async function wordsOfPage(page: Page): Promise<string[]> {
  const words: string[] = [];
  const main = await page.context().newCDPSession(page);
  const { frameTree } = await main.send('Page.getFrameTree');
  const within = (frameTree.childFrames ?? []).map(({ frame }) => frame.id);
  for (const frameId of [undefined, ...within]) words.push(...(await wordsOf(main, frameId)));
  for (const frame of page.frames().slice(1)) {
    const own = await page
      .context()
      .newCDPSession(frame)
      .catch(() => undefined);
    if (own) words.push(...(await wordsOf(own)));
  }
  return words.sort();
}

/** The same for the nodes inside the mirror of a page with one element. */
export async function wordsOfMirror(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes }: Tree = await session.send('Accessibility.getFullAXTree');
  const children = new Map(nodes.map((node) => [node.nodeId, node]));
  const top = nodes.find(({ role, ignored }) => !ignored && role?.value === 'document');
  const words: string[] = [];
  const visit = (node: AxNode | undefined): void => {
    if (!node) return;
    words.push(...wordsOfNode(node));
    for (const id of node.childIds ?? []) visit(children.get(id));
  };
  visit(top);
  return words.sort();
}

/** Percentage of the first words that the second list contains. */
export function sharedPercent(wanted: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  const shared = wanted.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return (100 * shared.length) / Math.max(1, wanted.length);
}

async function wordsOf(session: CDPSession, frameId?: string): Promise<string[]> {
  const asked = session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId });
  const { nodes }: Tree = await asked.catch(() => ({ nodes: [] }));
  return nodes.flatMap(wordsOfNode);
}

function wordsOfNode({ ignored, role, name }: AxNode): string[] {
  const told = String(role?.value ?? '');
  if (ignored || UNTOLD.includes(told)) return [];
  return [`${SAME[told] ?? told} ${String(name?.value ?? '').trim()}`];
}
