import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from 'x11';
import { Display, EarlyDisplay, ScreenMode } from '../../../../server/src/host/display/display.js';
import { modeFor } from '../../../../server/src/host/display/modes.js';

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

test('a session whose first display ends while it changes its mode gets another display', async (context) => {
  let end: (error: Error) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => (end = reject));
  let stopped = 0;
  const first = {
    process: { running: true, endsEarly: () => ended },
    // The display has ended, so it gives no answer.
    setMode: () => new Promise<void>(() => end(new Error('Xorg ended early.'))),
    stop: () => Promise.resolve(void (stopped += 1)),
  } as unknown as Display;
  const second = {} as unknown as Display;
  const started = [first, second];
  context.mock.method(Display, 'start', () => Promise.resolve(started.shift()));
  const displays = new EarlyDisplay({ directory: '/nowhere', extensions: '/nowhere' });
  assert.equal(await displays.take(modeFor(800, 600, 60)), second);
  assert.equal(stopped, 1);
});

/** The constructor is private, because the parts come from a running X server. */
const FakedScreenMode = ScreenMode as unknown as new (...parts: unknown[]) => ScreenMode;

/** A controller of a display. It shows mode 1, and refuses the new mode 2 or the size of this mode. */
class FakeController {
  readonly modes = new Set([1]);
  grabbed = false;
  shown = { mode: 1, width: 800, height: 600 };
  readonly #screen = { width: 800, height: 600 };
  readonly #answer = <T>(reply: Reply<T>, value: T) => setImmediate(() => reply(null, value));

  constructor(private readonly refused: 'mode' | 'size') {}

  readonly connection = {
    root: 1,
    x: {
      GrabServer: () => void (this.grabbed = true),
      UngrabServer: () => void (this.grabbed = false),
      GetGeometry: (_: number, reply: Reply<object>) => this.#answer(reply, { ...this.#screen }),
    },
  };

  readonly randr = {
    Rotation: { Rotate_0: 1 },
    ConfigStatus: { Success: 0 },
    CreateMode: (_: number, __: object, reply: Reply<number>) => {
      this.modes.add(2);
      this.#answer(reply, 2);
    },
    AddOutputMode: () => undefined,
    DeleteOutputMode: () => undefined,
    DestroyMode: (mode: number) => void this.modes.delete(mode),
    SetScreenSize: (_: number, width: number, height: number) => {
      // The server refuses a screen that does not contain the controller's picture.
      if (this.shown.mode !== 0 || (this.refused === 'size' && width > 800)) return;
      Object.assign(this.#screen, { width, height });
    },
    GetCrtcInfo: (_: number, __: number, reply: Reply<object>) => this.#answer(reply, { ...this.shown }),
    SetCrtcConfig: (...args: unknown[]) => {
      const [mode, reply] = [args[5] as number, args.at(-1) as Reply<object>];
      const refuses = mode === 2 && this.refused === 'mode';
      if (!refuses) this.shown = mode === 0 ? { mode, width: 0, height: 0 } : { mode, ...this.#screen };
      this.#answer(reply, { status: refuses ? 3 : 0 });
    },
  };
}

for (const [refused, error] of [
  ['mode', /refuses a mode/],
  ['size', /does not accept the mode/],
] as const)
  test(`a display that refuses the ${refused} of a new mode keeps its mode and its size`, async () => {
    const controller = new FakeController(refused);
    const mode = new FakedScreenMode(controller.connection, controller.randr, 7, 8);
    await assert.rejects(mode.set(modeFor(1024, 768, 60)), error);
    assert.deepEqual(controller.shown, { mode: 1, width: 800, height: 600 });
    assert.deepEqual([...controller.modes], [1], 'the refused mode is gone');
    assert.equal(controller.grabbed, false);
  });
