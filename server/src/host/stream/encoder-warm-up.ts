import type { MediaKind } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import type { FrameSource } from '../capture/frame-source.js';
import { FramePump } from './frame-pump.js';
import type { PumpSink } from './pump-output.js';
import { mediaFor, type StreamParts, type StreamSize } from './stream-parts.js';

/** Formats that most viewers can show, best first. */
const USUAL: readonly MediaKind[] = ['h264-444', 'h264', 'image'];

/**
 * Encodes one picture of the screen and discards it. This compiles the code, loads the encoder's library and
 * maps the display's memory. Otherwise the first picture for a viewer would take several times as long as
 * later pictures. Call it while the browser starts. Never rejects, because after a failure here the first
 * picture for a viewer fails with the same error. No other code may read the source at the same time. The
 * next reader must read the whole screen.
 */
export async function warmUpEncoder(
  source: FrameSource,
  makeParts: (media: MediaKind, size: StreamSize) => StreamParts,
  session: Pick<HostSession, 'quality'>,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => void pump.close().then(resolve);
    const pump = new FramePump(source, end);
    // Stops after one frame.
    const sink: PumpSink = {
      ...{ ready: true, strain: 0, frameBytes: Infinity, bandBytes: Infinity, refinementWait: 0 },
      ...{ onCapture: () => undefined, onFrame: end },
    };
    try {
      pump.add(sink, makeParts(mediaFor(session, USUAL), pump.size).encoder);
    } catch {
      end();
    }
  });
}
