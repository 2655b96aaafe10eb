/**
 * Makes the film of the demo's welcome page: `node scripts/welcome-film.mjs`. A canvas draws the pictures, a
 * few lines compute the melody, and libavcodec encodes them as VP9 and Opus into demo/welcome/film.webm.
 */
import { statSync } from 'node:fs';
import { Encoder, Muxer } from 'node-av/api';
import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLT,
  FF_ENCODER_LIBOPUS,
  FF_ENCODER_LIBVPX_VP9,
  SWS_BICUBIC,
} from 'node-av/constants';
import { Frame, Rational, SoftwareScaleContext } from 'node-av/lib';
import { chromium } from 'playwright';
import { drawPicture } from './lib/film-picture.mjs';
import { glowAt, melody, SAMPLE_RATE, SECONDS } from './lib/film-sound.mjs';
import { inRoot } from './lib/paths.mjs';
import { main, ScriptError } from './lib/run.mjs';

const FILE = inRoot('demo/welcome/film.webm');
const [WIDTH, HEIGHT, FPS] = [640, 360, 30];
/** Samples of an Opus packet. */
const PACKET = 960;
/** Largest size of the film in bytes, so that the page loads quickly. */
const MOST_BYTES = 300_000;

/** Yields the pictures for libavcodec, in order. */
async function* pictures(page) {
  const scaler = new SoftwareScaleContext();
  scaler.getContext(WIDTH, HEIGHT, AV_PIX_FMT_RGBA, WIDTH, HEIGHT, AV_PIX_FMT_YUV420P, SWS_BICUBIC);
  for (let index = 0; index < SECONDS * FPS; index++) {
    const time = index / FPS;
    const request = { moment: time / SECONDS, glow: glowAt(time), width: WIDTH, height: HEIGHT };
    const pixels = Buffer.from(await page.evaluate(drawPicture, request), 'base64');
    const frame = new Frame();
    frame.alloc();
    Object.assign(frame, { format: AV_PIX_FMT_YUV420P, width: WIDTH, height: HEIGHT });
    frame.getBuffer();
    scaler.scaleSync([pixels], [WIDTH * 4], 0, HEIGHT, [...(frame.data ?? [])], [...frame.linesize]);
    frame.pts = BigInt(index);
    frame.timeBase = new Rational(1, FPS);
    yield frame;
  }
}

/** Yields the melody for libavcodec, in order. */
function* sounds() {
  const samples = melody();
  for (let index = 0; index * PACKET * 2 < samples.length; index++) {
    const part = samples.subarray(index * PACKET * 2, (index + 1) * PACKET * 2);
    const frame = Frame.fromAudioBuffer(Buffer.from(part.buffer, part.byteOffset, part.byteLength), {
      ...{ nbSamples: part.length / 2, format: AV_SAMPLE_FMT_FLT, sampleRate: SAMPLE_RATE },
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
      timeBase: new Rational(1, SAMPLE_RATE),
    });
    frame.pts = BigInt(index * PACKET);
    yield frame;
  }
}

await main(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const film = await Encoder.create(FF_ENCODER_LIBVPX_VP9, {
      ...{ timeBase: { num: 1, den: FPS }, frameRate: { num: FPS, den: 1 }, bitrate: 0, gopSize: 240 },
      options: { crf: '31', deadline: 'good', 'cpu-used': '1', 'row-mt': '1' },
    });
    const sound = await Encoder.create(FF_ENCODER_LIBOPUS, { bitrate: 48_000 });
    const muxer = await Muxer.open(FILE, { format: 'webm' });
    const streams = [
      [film, pictures(page), muxer.addStream(film)],
      [sound, sounds(), muxer.addStream(sound)],
    ];
    await Promise.all(
      streams.map(async ([encoder, frames, stream]) => {
        for await (const packet of encoder.packets(frames)) {
          if (packet) await muxer.writePacket(packet, stream);
        }
      }),
    );
    await muxer.close();
  } finally {
    await browser.close();
  }
  const { size } = statSync(FILE);
  console.log(`${FILE}: ${size} bytes`);
  if (size > MOST_BYTES) throw new ScriptError(`The film must have at most ${MOST_BYTES} bytes.`);
});
