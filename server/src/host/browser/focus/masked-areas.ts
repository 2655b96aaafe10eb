import { randomUUID } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import { withTimeout } from '../../../platform/time/timeout.js';
import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { FrameScripts } from './frame-scripts.js';
import type { FrameWorld } from './frame-world.js';

/** A rectangle of the screen that shows a masked element, in pixels. */
export interface MaskedArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Position and scale of a page on the screen, or of a frame's content. */
export interface PagePlace {
  left: number;
  top: number;
  /** Pixels of the screen per CSS pixel. */
  scale: number;
}

/** Timeout for the answer of each frame. A frame that is late is masked as a whole. Milliseconds. */
const ANSWER_MS = 300;
/** Maximum nesting depth of frames. */
const MAX_DEPTH = 8;

/** Answer of the script in a frame. Each area is left, top, right and bottom, in CSS pixels of the frame. */
interface Marks {
  areas: number[][];
  /** For each inner frame: its area, then the left, the top and the scale of its content. */
  frames: number[][];
}

/** Options of a search for masked elements. */
interface Search {
  frames: Pick<FrameScripts, 'frames' | 'framesOf' | 'lost'>;
  /** True if password fields count as masked. */
  passwords: boolean;
  /** True if only elements with content count. */
  filled: boolean;
}

/**
 * Returns the areas of the screen that show masked elements, also inside frames. Resolves to `unknown` if a
 * visible page does not answer.
 */
export async function maskedAreas(
  frames: Search['frames'],
  placeOf: (page: CdpSession) => Promise<PagePlace>,
  passwords: boolean,
  filled = false,
): Promise<MaskedArea[] | 'unknown'> {
  const search = { frames, passwords, filled };
  const pages = frames.frames().filter(({ top }) => top);
  const all = await Promise.all(pages.map((page) => areasOfPage(search, page, placeOf)));
  const known: MaskedArea[] = [];
  for (const areas of all) {
    if (areas === 'unknown') return 'unknown';
    known.push(...areas);
  }
  return known;
}

async function areasOfPage(
  search: Search,
  page: FrameWorld,
  placeOf: (page: CdpSession) => Promise<PagePlace>,
): Promise<MaskedArea[] | 'unknown'> {
  const marks = await marksOf(search, page);
  if (marks === 'gone' || (marks !== 'unknown' && marks.areas.length + marks.frames.length === 0)) return [];
  // A hidden tab may be frozen, but it shows nothing on the screen.
  if (marks === 'unknown') return page.field?.visible === false ? [] : 'unknown';
  const asked = placeOf(page.session).catch(() => 'unknown' as const);
  const place = await withTimeout(asked, ANSWER_MS, () => 'unknown' as const);
  return place === 'unknown' ? 'unknown' : areasInside(search, page, marks, place, 0);
}

async function areasInside(
  search: Search,
  frame: FrameWorld,
  marks: Marks,
  place: PagePlace,
  depth: number,
): Promise<MaskedArea[]> {
  const own = marks.areas.map((area) => onScreen(area, place));
  const inner = marks.frames.map(async (area, index) => {
    const whole = onScreen(area, place);
    if (whole.width < 1 || whole.height < 1) return [];
    const [left = 0, top = 0, scale = 0] = area.slice(4);
    const content = {
      left: place.left + left * place.scale,
      top: place.top + top * place.scale,
      scale: scale * place.scale,
    };
    const asked = areasOfFrame(search, frame, index, content, depth + 1);
    const areas = await withTimeout(asked, ANSWER_MS * 2, () => 'unknown' as const);
    return areas === 'unknown' || (areas.length > 0 && scale === 0) ? [whole] : areas;
  });
  return [...own, ...(await Promise.all(inner)).flat()];
}

async function areasOfFrame(
  search: Search,
  outer: FrameWorld,
  index: number,
  place: PagePlace,
  depth: number,
): Promise<MaskedArea[] | 'unknown'> {
  if (depth > MAX_DEPTH) return 'unknown';
  const found = await frameId(outer, index);
  if (found === 'unknown') return 'unknown';
  // Documents without the script, such as those of plug-ins, have no masked elements.
  const known = found.id === undefined ? [] : search.frames.framesOf(found.id);
  const areas: MaskedArea[] = [];
  for (const inner of known) {
    const marks = await marksOf(search, inner);
    if (marks === 'unknown') return 'unknown';
    if (marks !== 'gone') areas.push(...(await areasInside(search, inner, marks, place, depth)));
  }
  return areas;
}

async function marksOf(
  { frames, passwords, filled }: Search,
  frame: FrameWorld,
): Promise<Marks | 'gone' | 'unknown'> {
  const opened = openAllTrees(frame).then(
    () => true,
    (error: unknown) => error instanceof CdpError && error.reason !== 'timed-out',
  );
  if (!frame.session.inDialog && !(await withTimeout(opened, ANSWER_MS, () => false))) return 'unknown';
  const answer = await frame.ask(`marks(${passwords}, ${filled})`, ANSWER_MS);
  if (answer === 'gone') frames.lost(frame);
  if (answer === 'gone') return 'gone';
  return answer === 'dialog' || answer === 'silent' ? 'unknown' : (readMarks(answer.value) ?? 'unknown');
}

/** Passes all closed shadow trees of a frame to its script. Only the browser can access them. */
async function openAllTrees({ session, context, guard }: FrameWorld): Promise<void> {
  const script = `globalThis[${JSON.stringify(guard)}]`;
  const objectGroup = randomUUID();
  try {
    const { result } = await session.send('Runtime.evaluate', {
      ...{ expression: `${script}.document()`, contextId: context, objectGroup },
    });
    const { objectId } = result;
    if (objectId === undefined) return;
    const { node } = await session.send('DOM.describeNode', { objectId, depth: -1, pierce: true });
    for (const root of closedTrees(node)) {
      const resolved = { backendNodeId: root.backendNodeId, executionContextId: context, objectGroup };
      const found = (await session.send('DOM.resolveNode', resolved)).object.objectId;
      if (found === undefined) continue;
      await session.send('Runtime.callFunctionOn', {
        functionDeclaration: `function () { return ${script}.found(this.host, this); }`,
        objectId: found,
      });
    }
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}

/** Returns the closed shadow trees below a node. Skips the documents of inner frames. */
function* closedTrees(node: Protocol.DOM.Node): Iterable<Protocol.DOM.Node> {
  for (const root of node.shadowRoots ?? []) {
    if (root.shadowRootType === 'closed') yield root;
    yield* closedTrees(root);
  }
  for (const child of node.children ?? []) yield* closedTrees(child);
}

/** Returns the browser's id of an inner frame that the script listed in its last answer. */
async function frameId(
  { session, context, guard }: FrameWorld,
  index: number,
): Promise<{ id: string | undefined } | 'unknown'> {
  const objectGroup = randomUUID();
  try {
    const expression = `globalThis[${JSON.stringify(guard)}].markedFrame(${index})`;
    const evaluation = { expression, contextId: context, objectGroup };
    const { result } = await session.send('Runtime.evaluate', evaluation);
    const { objectId } = result;
    if (objectId === undefined) return 'unknown';
    return { id: (await session.send('DOM.describeNode', { objectId })).node.frameId };
  } catch (error) {
    if (error instanceof CdpError) return 'unknown';
    throw error;
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}

function onScreen([left = 0, top = 0, right = 0, bottom = 0]: number[], place: PagePlace): MaskedArea {
  const { scale } = place;
  const [x, y] = [place.left + left * scale, place.top + top * scale];
  return { x, y, width: (right - left) * scale, height: (bottom - top) * scale };
}

/**
 * Reads an answer. Returns undefined if it is invalid. A page cannot change the script, but an invalid answer
 * must never reveal masked content.
 */
function readMarks(value: unknown): Marks | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { visible, areas, frames }: { visible?: unknown; areas?: unknown; frames?: unknown } = value;
  if (visible === false) return { areas: [], frames: [] };
  return isNumbers(areas, 4) && isNumbers(frames, 7) ? { areas, frames } : undefined;
}

function isNumbers(value: unknown, length: number): value is number[][] {
  return (
    Array.isArray(value) &&
    value.every(
      (row: unknown) => Array.isArray(row) && row.length === length && row.every((n) => Number.isFinite(n)),
    )
  );
}
