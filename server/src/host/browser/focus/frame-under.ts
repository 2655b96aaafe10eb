import { randomUUID } from 'node:crypto';
import { CdpError } from '../cdp/cdp-session.js';
import type { FrameWorld } from './frame-world.js';

/**
 * Resolves to the browser's id of the frame at the position that the host last sent to the script. Resolves
 * to undefined if the frame is gone, or the page around it does not answer.
 */
export async function frameUnder({ session, context, guard }: FrameWorld): Promise<string | undefined> {
  const objectGroup = randomUUID();
  try {
    const { result } = await session.send('Runtime.evaluate', {
      expression: `globalThis[${JSON.stringify(guard)}].under()`,
      contextId: context,
      objectGroup,
    });
    const { objectId } = result;
    if (objectId === undefined) return undefined;
    return (await session.send('DOM.describeNode', { objectId })).node.frameId;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  } finally {
    session.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}
