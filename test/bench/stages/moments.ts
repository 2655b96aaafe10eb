import { timeOfCapture } from '../../../server/src/host/features/recording/capture-time.js';
import {
  decodePacket,
  isClipboardChunk,
  isFramePart,
  isSoundPacket,
  PACKET_HEADER_BYTES,
  type MediaPacket,
  type PacketArea,
} from '../../../src/protocol/index.js';
import type { Position } from '../changes/change-probe.js';
import { median } from '../statistics.js';
import type { PageRecords } from './page-records.js';

/** Moments of a click, in their order. Each is the end of a stage that begins with the moment before. */
export const MOMENTS = ['pressed', 'captured', 'received', 'decoded', 'painted', 'shown'] as const;
export type Moment = (typeof MOMENTS)[number];

/** The moments of one click, in milliseconds since the benchmark pressed the button. */
export type ClickMoments = Record<Moment, number>;

/** A click: epoch milliseconds at which the benchmark pressed the button and saw the complete change. */
export interface Click {
  start: number;
  shown: number;
}

/** A packet of a picture. The times are epoch milliseconds. */
export interface SeenPacket extends Pick<MediaPacket, 'frame' | 'refinement' | 'area'> {
  captured: number;
  received: number;
}

/** Maximum difference between the clocks of two processes, in milliseconds. */
const SKEW_MS = 1;

/**
 * Returns the packets of pictures in the records of a page. Pictures that the host sent in parts, over two
 * connections, are left out.
 *
 * @param hostStart start of the host's monotonic clock, in epoch milliseconds
 */
export function packetsOf({ messages }: PageRecords, hostStart: number): SeenPacket[] {
  return messages.flatMap(({ at, start }) => {
    const bytes = Uint8Array.from(start);
    const isOther = isSoundPacket(bytes) || isClipboardChunk(bytes) || isFramePart(bytes);
    if (isOther || bytes.length < PACKET_HEADER_BYTES) return [];
    const { frame, refinement, area, captureTime } = decodePacket(bytes);
    const captured = hostStart + timeOfCapture(captureTime, at - hostStart);
    return [{ frame, refinement, area, captured, received: at }];
  });
}

/**
 * Finds the moments of a click. Returns undefined if the records lack one of them, or if the clocks do not
 * agree.
 *
 * @param watched the pixels whose change makes the click complete
 */
export function momentsOf(
  { start, shown }: Click,
  { presses, decoded, painted }: PageRecords,
  packets: readonly SeenPacket[],
  watched: readonly Position[],
): ClickMoments | undefined {
  const press = presses.find((at) => at >= start - SKEW_MS && at <= shown);
  if (press === undefined) return undefined;
  const packet = completingPacket(
    packets.filter(({ captured, received }) => captured > press && received > captured && received <= shown),
    watched,
  );
  if (!packet) return undefined;
  const { frame, captured, received } = packet;
  const picture = decoded.find((each) => each.frame === frame && each.at >= received && each.at <= shown);
  if (!picture) return undefined;
  const paint = painted.find((at) => at >= picture.at && at <= shown);
  if (paint === undefined) return undefined;
  const times = { pressed: press, captured, received, decoded: picture.at, painted: paint, shown };
  return inMoments((moment) => times[moment] - start);
}

/** Returns the packet after which all watched pixels have changed. A refinement changes no pixel visibly. */
function completingPacket(
  packets: readonly SeenPacket[],
  watched: readonly Position[],
): SeenPacket | undefined {
  let missing = watched;
  for (const packet of packets) {
    if (packet.refinement) continue;
    missing = missing.filter((position) => !contains(packet.area, position));
    if (missing.length === 0) return packet;
  }
  return undefined;
}

function contains({ x, y, width, height }: PacketArea, [column, row]: Position): boolean {
  return column >= x && column < x + width && row >= y && row < y + height;
}

/** Returns the median duration of each stage, in milliseconds. The stage has the name of its end. */
export function stageMedians(clicks: readonly ClickMoments[]): ClickMoments {
  return inMoments((moment) => {
    const before = MOMENTS[MOMENTS.indexOf(moment) - 1];
    return median(clicks.map((click) => click[moment] - (before === undefined ? 0 : click[before])));
  });
}

function inMoments(value: (moment: Moment) => number): ClickMoments {
  return Object.fromEntries(MOMENTS.map((moment) => [moment, value(moment)])) as ClickMoments;
}
