import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Delivery } from '../../../server/src/host/stream/delivery.js';
import { MaskedStreams } from '../../../server/src/host/features/recording/masked/masked-streams.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { PatternSource } from '../../fakes/pattern-source.js';
import { settle } from '../../fakes/pumped-frames.js';

/** A screen that does not answer any more when it is read, until its display ends. */
class SilentScreen extends PatternSource {
  #end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));

  override read(): Promise<undefined> {
    this.reads += 1;
    return new Promise(() => undefined);
  }

  end(): void {
    this.#end();
  }
}

it('a masked screen is closed when its display ends while a picture is read, but not before', async () => {
  const clock = new ManualClock();
  const screen = new SilentScreen(64, 48);
  const streams = new MaskedStreams({ session: { quality: 'smooth', fps: 30 }, clock, size: () => screen });
  streams.add({
    ...{ media: 'h264', delivery: new Delivery(() => 0), ready: true },
    ...{ markCapture: () => undefined, send: () => undefined, sendFrame: () => undefined },
  });
  streams.use({ openScreen: () => Promise.resolve(screen), maskedAreas: () => Promise.resolve([]) });
  while (screen.reads === 0) {
    clock.advance(50);
    await settle();
  }
  streams.use(undefined);
  await settle();
  assert.equal(screen.closed, false);
  screen.end();
  await settle();
  assert.equal(screen.closed, true);
  streams.close();
});
