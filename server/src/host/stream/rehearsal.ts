import type { MediaKind } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import type { FrameSource } from '../capture/frame-source.js';
import { FramePump, type PumpSink } from './frame-pump.js';
import { mediaFor, type StreamParts, type StreamSize } from './stream-parts.js';

/** What most viewers can show. */
const USUAL: readonly MediaKind[] = ['h264-444', 'h264', 'image'];

/**
 * Makes one picture of the screen for nobody, so that the first one for a viewer finds the code compiled, the encoder's library loaded and
 * the display's memory mapped: without that it takes several times as long as any other. To be done while the browser starts. Never
 * rejects: who makes the next picture is told what is wrong.
 *
 * The source must not be read by others meanwhile. Who reads it next must read everything.
 */
export async function rehearse(
  source: FrameSource,
  makeParts: (media: MediaKind, size: StreamSize) => StreamParts,
  session: Pick<HostSession, 'quality'>,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => void pump.close().then(resolve);
    const pump = new FramePump(source, end);
    // Nobody sees more than one frame.
    const sink: PumpSink = { ready: true, strain: 0, onCapture: () => undefined, onFrame: end };
    try {
      pump.add(sink, makeParts(mediaFor(session, USUAL), pump.size).encoder);
    } catch {
      end();
    }
  });
}
