import { randomUUID } from 'node:crypto';
import type { FrameWorld } from './frame-world.js';

/** Who has closed a tree, as CDP's `DOM.ShadowRootType` names it. */
type TreeKind = 'closed' | 'user-agent';

/**
 * Shows the script in a frame the shadow tree that an element keeps from scripts, or that it has none. Only the browser itself knows.
 * The script has noted the element; by the time of the answer it may have noted another. Rejects with `CdpError`.
 *
 * @param kinds trees that pages close, and those that the browser itself makes for its fields
 */
export async function openClosedTree(
  { session, context, guard }: FrameWorld,
  kinds: readonly TreeKind[] = ['closed'],
): Promise<void> {
  const script = `globalThis[${JSON.stringify(guard)}]`;
  // The browser keeps what it has named, until it is told not to.
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
