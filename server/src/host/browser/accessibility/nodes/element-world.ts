import { CdpError } from '../../cdp/cdp-session.js';
import type { TreeNode } from './tree-node.js';

/** Name of the isolated world for calls on elements. The page's scripts cannot see this world. */
const WORLD = 'session-accessibility';

/** Number of elements whose keys are requested at the same time. */
const ABREAST = 50;

/** Options for calling a function on an element. */
interface Circumstances {
  args?: readonly string[];
  /** Timeout for all steps together. Milliseconds. */
  timeoutMs: number;
  /** True if the call counts as a user gesture, which allows the page's scripts more actions. */
  userGesture?: boolean;
}

/**
 * Calls a function on the element of a node in an isolated world, and returns its result. Rejects with
 * `CdpError`.
 */
export async function callOnElement(
  node: TreeNode,
  functionDeclaration: string,
  { args = [], timeoutMs, userGesture = false }: Circumstances,
): Promise<unknown> {
  const { session } = node;
  const end = performance.now() + timeoutMs;
  const left = () => Math.max(1, end - performance.now());
  const objectId = await elementOf(node, WORLD, left);
  try {
    const { result } = await session.send(
      'Runtime.callFunctionOn',
      {
        ...{ functionDeclaration, objectId, returnByValue: true, userGesture },
        arguments: args.map((value) => ({ value })),
      },
      left(),
    );
    return result.value;
  } finally {
    session.post('Runtime.releaseObject', { objectId });
  }
}

/** Number of calls of {@link elementsFrom}, so that each has its own group of objects. */
let calls = 0;

/**
 * Calls a function on the element of a node, and returns the keys of the elements in the array that it
 * returns. Rejects with `CdpError`.
 *
 * @param timeoutMs timeout for each of the steps, in milliseconds
 */
export async function elementsFrom(
  node: TreeNode,
  functionDeclaration: string,
  timeoutMs: number,
): Promise<readonly number[]> {
  const { session } = node;
  const objectGroup = `${WORLD}-${++calls}`;
  const objectId = await elementOf(node, objectGroup, () => timeoutMs);
  try {
    const call = { functionDeclaration, objectId, objectGroup };
    const { result } = await session.send('Runtime.callFunctionOn', call, timeoutMs);
    if (result.objectId === undefined) return [];
    const list = { objectId: result.objectId, ownProperties: true };
    const { result: members } = await session.send('Runtime.getProperties', list, timeoutMs);
    const elements = members.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId) || []);
    const keys: number[] = [];
    for (let start = 0; start < elements.length; start += ABREAST) {
      const asked = elements
        .slice(start, start + ABREAST)
        .map((element) => session.send('DOM.describeNode', { objectId: element }, timeoutMs));
      for (const { node: described } of await Promise.all(asked)) keys.push(described.backendNodeId);
    }
    return keys;
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}

/** Returns the object of a node's element in the isolated world. */
async function elementOf(
  { session, key: backendNodeId, frame: frameId }: TreeNode,
  objectGroup: string,
  left: () => number,
): Promise<string> {
  if (frameId === undefined) throw new CdpError('Page.createIsolatedWorld', 'refused');
  const world = { frameId, worldName: WORLD };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world, left());
  const resolved = { backendNodeId, executionContextId, objectGroup };
  const { object } = await session.send('DOM.resolveNode', resolved, left());
  if (object.objectId === undefined) throw new CdpError('DOM.resolveNode', 'refused');
  return object.objectId;
}
