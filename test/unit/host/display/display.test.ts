import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Display, ScreenMode } from '../../../../server/src/host/display/display.js';

/** The constructor is private, because a display needs a running X server. */
const FakedDisplay = Display as unknown as new (server: object, mode: object) => Display;

/** A connection that counts how often it was closed. */
class FakeMode {
  closed = 0;
  asked = 0;
  close = () => void (this.closed += 1);
  answers = () => Promise.resolve(void (this.asked += 1));
}

test('a display whose connection is replaced twice at once keeps one open connection', async (context) => {
  const [old, first, second] = [new FakeMode(), new FakeMode(), new FakeMode()];
  const opened = [first, second];
  context.mock.method(ScreenMode, 'open', () => Promise.resolve(opened.shift()));
  const display = new FakedDisplay({ address: {}, process: { running: true } }, old);
  display.renew();
  display.renew();
  await new Promise(setImmediate);
  await display.answers();
  assert.deepEqual(
    [first, second].map(({ asked, closed }) => [asked, closed]),
    [
      [1, 0],
      [0, 1],
    ],
  );
  assert.ok(old.closed > 0);
});
