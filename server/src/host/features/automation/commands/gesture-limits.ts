import { numberOf, RefusedCommand, type ClientCommand } from './messages.js';

type Params = ClientCommand['params'];

/** Longest gesture in milliseconds. The fastest way to scroll further is the wheel or a script. */
const MAX_MS = 10_000;
/** Chromium's default speed of scrolling and of pinching, in pixels per second. */
const SPEED = 800;
/** Slowest pinch in pixels per second. Each finger moves by some hundreds of pixels at most. */
const MIN_PINCH_SPEED = 100;
/** Strongest pinch. */
const MAX_PINCH = 100;

/** Returns the milliseconds that a gesture takes, for each method with a gesture. */
const DURATIONS: Readonly<Record<string, (params: Params) => number>> = {
  'Input.synthesizePinchGesture': ({ relativeSpeed, scaleFactor }) => {
    const factor = numberOf(scaleFactor, 1);
    const isSlow = numberOf(relativeSpeed, SPEED) < MIN_PINCH_SPEED;
    return isSlow || factor > MAX_PINCH || factor * MAX_PINCH < 1 ? Infinity : 0;
  },
  'Input.synthesizeScrollGesture': ({ speed, repeatCount, repeatDelayMs, ...distances }) => {
    const names = ['xDistance', 'yDistance', 'xOverscroll', 'yOverscroll'];
    const pixels = names.reduce((sum, name) => sum + Math.abs(numberOf(distances[name], 0)), 0);
    const repeats = numberOf(repeatCount, 0);
    const perSecond = numberOf(speed, SPEED);
    if (perSecond <= 0) return Infinity;
    return ((pixels * 1_000) / perSecond) * (repeats + 1) + numberOf(repeatDelayMs, 250) * repeats;
  },
  'Input.synthesizeTapGesture': ({ duration, tapCount }) =>
    Math.max(numberOf(duration, 50), 50) * numberOf(tapCount, 1),
};

/**
 * Refuses a gesture that takes too long. Chromium cannot stop a gesture. So it would go on while a person has
 * control, and after the program has left. Throws {@link RefusedCommand}.
 */
export function refuseLongGestures({ method, params }: ClientCommand): void {
  const duration = Object.hasOwn(DURATIONS, method) ? DURATIONS[method] : undefined;
  if (!duration || duration(params) <= MAX_MS) return;
  throw new RefusedCommand(
    'refused',
    `${method}: the gesture takes too long. Make several gestures of at most ${MAX_MS / 1_000} seconds.`,
  );
}
