import { CdpError } from '../../cdp/cdp-session.js';
import type { TreeNode } from './tree-node.js';

/** Name of the isolated world for calls on elements. The page's scripts cannot see this world. */
const WORLD = 'session-accessibility';

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
  { session, key: backendNodeId, frame: frameId }: TreeNode,
  functionDeclaration: string,
  { args = [], timeoutMs, userGesture = false }: Circumstances,
): Promise<unknown> {
  if (frameId === undefined) throw new CdpError('Page.createIsolatedWorld', 'refused');
  const world = { frameId, worldName: WORLD };
  const end = performance.now() + timeoutMs;
  const left = () => Math.max(1, end - performance.now());
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world, left());
  const { object } = await session.send(
    'DOM.resolveNode',
    { backendNodeId, executionContextId, objectGroup: WORLD },
    left(),
  );
  const { objectId } = object;
  if (objectId === undefined) throw new CdpError('DOM.resolveNode', 'refused');
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
