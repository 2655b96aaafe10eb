import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Delivery } from '../../../../server/src/host/stream/delivery.js';
import { BitBudget } from '../../../../server/src/host/stream/bit-budget.js';
import { StreamHub } from '../../../../server/src/host/stream/stream-hub.js';
import type { PartEnd } from '../../../../server/src/host/workstation/part-end.js';
import { ScreenChanges } from '../../../../server/src/host/workstation/screen-changes.js';
import { PatternSource } from '../../../fakes/pattern-source.js';
import { FakeEncoder, settle } from '../../../fakes/pumped-frames.js';

const SMALL = { width: 64, height: 48, pixelRatio: 1 };
const LARGE = { width: 128, height: 96, pixelRatio: 1 };
const XORG_END: PartEnd = { name: 'Xorg', pid: 1, code: null, signal: 'SIGKILL', logTail: '', asked: false };

/** A source on a display that does not answer. */
class SilentSource extends PatternSource {
  override read(): Promise<undefined> {
    return new Promise(() => undefined);
  }
}

/** A workstation whose parts end when the test says. */
function workstationWith(screen: PatternSource) {
  const parts: { end?: (end: PartEnd) => void } = {};
  const partEnded = new Promise<PartEnd>((resolve) => (parts.end = resolve));
  const sizes: number[] = [];
  const resize = ({ width }: { width: number }) => {
    sizes.push(width);
    return Promise.resolve();
  };
  return { screen, partEnded, sizes, resize, stopping: false, end: () => parts.end?.(XORG_END) };
}

it('a change of the size fails when the display ends while a picture is read, and the next one works', async () => {
  const hub = new StreamHub(
    () => ({ encoder: new FakeEncoder(), budget: new BitBudget(1_000_000_000, () => 0) }),
    (error) => assert.fail(String(error)),
  );
  hub.add({
    ...{ media: 'h264', delivery: new Delivery(() => 0), ready: true },
    ...{ markCapture: () => undefined, send: () => undefined, sendFrame: () => undefined },
  });
  const session = { ...SMALL };
  let workstation = workstationWith(new SilentSource(64, 48));
  const changes = new ScreenChanges(
    session,
    hub,
    () => workstation,
    () => undefined,
  );
  hub.show(workstation.screen);
  await settle();
  const refused = assert.rejects(changes.apply(LARGE), { code: 'err_browser_unavailable' });
  await settle();
  workstation.end();
  await refused;
  assert.deepEqual([workstation.sizes, session], [[], SMALL]);

  workstation = workstationWith(new PatternSource(64, 48));
  hub.show(workstation.screen);
  await changes.apply(LARGE);
  assert.deepEqual([workstation.sizes, session], [[128], LARGE]);
  hub.close();
});
