import {
  FragmentBuilder,
  type BuiltFragment,
} from '../../../server/src/host/features/recording/fragment-builder.js';
import { Mp4Writer } from '../../../server/src/host/features/recording/mp4-writer.js';
import type { RecordingPart } from '../../../server/src/recording-protocol.js';
import { HEIGHT, NumberedPictures, WIDTH } from './numbered-pictures.js';

/** Seconds from one key frame to the next, as the recorder requests them. */
export const GROUP_SECONDS = 15;
/** Pictures a second, as without viewers. */
export const RATE = 5;
const GROUP = GROUP_SECONDS * RATE;
/** Milliseconds between two checks for a complete fragment, as in the recorder. */
const TICK_MS = 500;
/** Bytes that each picture has in addition, because a real page changes more than a number. */
const FILLER_BYTES = 1_500;

/** Makes the parts of a long video with the recorder's own writers, and with a track of silence. */
export async function* longVideo(groups: number): AsyncGenerator<RecordingPart> {
  const pictures = new NumberedPictures();
  const first = pictures.keyFrame(0);
  const others = Array.from({ length: GROUP - 1 }, (_, nth) => filled(pictures.next(nth + 1)));
  const opened = await Mp4Writer.open({ width: WIDTH, height: HEIGHT, keyFrame: first, audio: true });
  const { writer, init } = opened;
  const builder = new FragmentBuilder(true);
  const partOf = async ({ samples, ...about }: BuiltFragment): Promise<RecordingPart> => ({
    ...{ type: 'fragment', data: await writer.fragment(samples), ...about },
  });
  try {
    yield { type: 'init', data: init };
    let ticked = 0;
    for (let number = 0; number < groups * GROUP; number++) {
      const [group, nth] = [Math.floor(number / GROUP), number % GROUP];
      const time = (number * 1_000) / RATE;
      for (; ticked <= time; ticked += TICK_MS) {
        const complete = builder.tick(ticked);
        if (complete) yield await partOf(complete);
      }
      const data = nth > 0 ? others[nth - 1] : number === 0 ? first : pictures.keyFrame(group);
      const ended = builder.picture({ data: data ?? first, keyFrame: nth === 0, time });
      if (ended) yield await partOf(ended);
    }
    const last = builder.end(groups * GROUP_SECONDS * 1_000);
    if (last) yield await partOf(last);
  } finally {
    await writer.close();
    pictures.close();
  }
}

/** Adds a NAL unit that a decoder ignores, ITU-T H.264, 7.3.2.7. */
function filled(picture: Buffer): Buffer {
  const filler = [Buffer.from([0, 0, 0, 1, 0x0c]), Buffer.alloc(FILLER_BYTES, 0xff), Buffer.from([0x80])];
  return Buffer.concat([picture, ...filler]);
}
