import type { FrameWorld } from './frame-world.js';

/**
 * Shows the script in a frame the shadow tree that an element keeps from scripts, or that it has none. Only the browser itself knows.
 * The script has noted the element. Rejects with `CdpError`.
 */
export async function openClosedTree({ session, context, guard }: FrameWorld): Promise<void> {
  const script = `globalThis[${JSON.stringify(guard)}]`;
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${script}.hidden()`,
    contextId: context,
  });
  if (result.objectId === undefined) return;
  const { node } = await session.send('DOM.describeNode', { objectId: result.objectId });
  const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
  if (!root) {
    await session.send('Runtime.evaluate', { expression: `${script}.found()`, contextId: context });
    return;
  }
  const { object } = await session.send('DOM.resolveNode', {
    backendNodeId: root.backendNodeId,
    executionContextId: context,
  });
  if (object.objectId === undefined) return;
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: `function () { return ${script}.found(this); }`,
    objectId: object.objectId,
  });
}
