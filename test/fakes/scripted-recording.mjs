/**
 * The recording of a scripted host: sends the fragments of a stored video over the pipe for recordings. The
 * real host does the same, but waits for real time.
 */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** Descriptor of the pipe. */
const CHANNEL = 5;
const HEADER_BYTES = 26;
const TYPES = ['init', 'fragment', 'event', 'end'];
/** Milliseconds between two fragments of 1.2 seconds. */
const PACE_MS = 20;
const SECONDS = 60;

// Read before the process changes its user.
const video = readFileSync(new URL('../browser/replay/recording/video.mp4', import.meta.url));
let channel;
let timer;
let current;

/** Returns the boxes of the file: the initialisation segment, and each fragment with its start. */
function partsOf(file) {
  const timescale = file.readUInt32BE(file.indexOf('mdhd') + 16);
  const fragments = [];
  let init = 0;
  for (let at = 0; at < file.length;) {
    const size = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'moof') {
      const clock = file.indexOf('tfdt', at) + 8;
      const ticks = file[clock - 4] === 1 ? Number(file.readBigUInt64BE(clock)) : file.readUInt32BE(clock);
      fragments.push({ time: ticks / timescale, start: at, end: at + size });
    } else if (type === 'mdat') fragments.at(-1).end = at + size;
    else init = at + size;
    at += size;
  }
  return { init: file.subarray(0, init), fragments };
}

function send(type, data, { time = 0, duration = 0, keyFrame = false } = {}, done = undefined) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(data.length, 0);
  header.writeUInt32BE(current, 4);
  header.writeUInt8(TYPES.indexOf(type), 8);
  header.writeUInt8(keyFrame ? 1 : 0, 9);
  header.writeDoubleBE(time, 10);
  header.writeDoubleBE(duration, 18);
  channel.write(Buffer.concat([header, data]), done);
}

/** Starts a recording. It has a fragment and an event every few milliseconds, and then waits for its end. */
export function record({ number }) {
  channel ??= new Socket({ fd: CHANNEL, readable: false, writable: true });
  current = number;
  const { init, fragments } = partsOf(video);
  send('init', init);
  send('event', Buffer.from(JSON.stringify({ t: 0, type: 'user_joined', user: 'ann' })));
  let next = 0;
  timer = setInterval(() => {
    const fragment = fragments[next];
    if (!fragment) return;
    const { time, start, end } = fragment;
    const duration = (fragments[next + 1]?.time ?? SECONDS) - time;
    send('fragment', video.subarray(start, end), { time, duration, keyFrame: next === 0 });
    send('event', Buffer.from(JSON.stringify({ t: time, type: 'marker', name: `Fragment ${next}` })));
    next += 1;
  }, PACE_MS);
}

/** Ends the recording, if there is one. Calls back when all of it was sent. */
export function endRecording(reason, done = () => undefined) {
  clearInterval(timer);
  if (current === undefined) {
    done();
    return;
  }
  send('end', Buffer.from(reason), {}, done);
  current = undefined;
}
