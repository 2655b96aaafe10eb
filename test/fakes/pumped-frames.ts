import { setImmediate as turn } from 'node:timers/promises';
import type { EncodeRequest, Encoder } from '../../server/src/host/encode/encoder.js';
import type { Chroma } from '../../server/src/host/encode/screen-image.js';
import type { PumpedFrame, PumpSink } from '../../server/src/host/stream/pump-output.js';

/** An encoder that records its requests. */
export class FakeEncoder implements Encoder {
  readonly codec = 'fake';
  refinesAreas = true;
  readonly pictures: unknown[] = [];
  readonly requests: EncodeRequest[] = [];
  closed = false;
  fail = false;

  constructor(readonly chroma: Chroma = 'shared') {}

  encode(picture: unknown, request: EncodeRequest) {
    if (this.fail) throw new Error('broken');
    this.requests.push(request);
    this.pictures.push(picture);
    return { data: Buffer.from([this.requests.length]), keyFrame: request.keyFrame };
  }

  encodeAside(picture: unknown, request: EncodeRequest) {
    return Promise.resolve().then(() => this.encode(picture, request));
  }

  close(): void {
    this.closed = true;
  }
}

/** A receiver of frames that is always ready, unless a test changes it. */
export class FakeSink implements PumpSink {
  ready = true;
  strain = 0;
  frameBytes = Infinity;
  bandBytes = Infinity;
  refinementWait = 0;
  captures = 0;
  readonly frames: PumpedFrame[] = [];

  onCapture(): void {
    this.captures++;
  }

  onFrame(frame: PumpedFrame): void {
    this.frames.push(frame);
  }
}

/** Runs everything that needs no time. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn();
}
