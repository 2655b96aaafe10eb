import { randomUUID } from 'node:crypto';
import type { FrameWorld } from './frame-world.js';

/** Resolves to true if a field of a frame is masked. Rejects if the browser cannot tell. */
export async function covers(
  { session, context, guard }: FrameWorld,
  backendNodeId: number,
): Promise<boolean> {
  // Group of the object that the browser keeps until the host releases the group.
  const objectGroup = randomUUID();
  const field = { backendNodeId, executionContextId: context, objectGroup };
  try {
    const { object } = await session.send('DOM.resolveNode', field);
    if (object.objectId === undefined) return true;
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: 'function (guard) { return globalThis[guard].covers(this); }',
      arguments: [{ value: guard }],
      returnByValue: true,
    });
    return result.value !== false;
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}
