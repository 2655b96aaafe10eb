import { CdpError } from '../cdp/cdp-session.js';
import type { TreeNode } from './tree-node.js';

/** The world of what is asked of elements; a page sees nothing of it. */
const WORLD = 'session-accessibility';

/** How a function is called on an element. */
interface Circumstances {
  args?: readonly string[];
  /** For all of it together. Milliseconds. */
  timeoutMs: number;
  /** Whether a user does it: pages may do more then. */
  userGesture?: boolean;
}

/** Calls a function on the element of a node, in a world of its own; what that returns. Rejects with `CdpError`. */
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
