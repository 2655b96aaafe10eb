import { randomUUID } from 'node:crypto';
import type { FrameWorld } from './frame-world.js';

/** Types of closed shadow trees, named as in CDP's `DOM.ShadowRootType`. */
type TreeKind = 'closed' | 'user-agent';

/**
 * Passes the closed shadow tree of an element to the script of the element's frame, because only the browser
 * can access a closed tree. If the element has no such tree, reports this to the script. The script chooses
 * the element. It may choose another one before the host's message arrives, so the message also contains the
 * element. Rejects with `CdpError`.
 *
 * @param kinds trees to pass: `closed` for the closed trees of pages, `user-agent` for the trees of the
 *   browser's own fields
 */
export async function openClosedTree(
  { session, context, guard }: FrameWorld,
  kinds: readonly TreeKind[] = ['closed'],
): Promise<void> {
  const script = `globalThis[${JSON.stringify(guard)}]`;
  // Group of the objects that the browser keeps until the host releases the group.
  const objectGroup = randomUUID();
  try {
    const { result } = await session.send('Runtime.evaluate', {
      expression: `${script}.hidden()`,
      contextId: context,
      objectGroup,
    });
    const { objectId } = result;
    if (objectId === undefined) return;
    const { node } = await session.send('DOM.describeNode', { objectId });
    const root = node.shadowRoots?.find(({ shadowRootType }) =>
      kinds.some((kind) => kind === shadowRootType),
    );
    const tree = root && {
      backendNodeId: root.backendNodeId,
      executionContextId: context,
      objectGroup,
    };
    const found = tree && (await session.send('DOM.resolveNode', tree)).object.objectId;
    if (root && found === undefined) return;
    await session.send('Runtime.callFunctionOn', {
      functionDeclaration: `function (root) { return ${script}.found(this, root); }`,
      objectId,
      arguments: found === undefined ? [] : [{ objectId: found }],
    });
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}
