/**
 * Loaded into the service before its own code (`node --import`): gives it the time that a file tells,
 * `{"shift", "speed"}`. `shift`: milliseconds that the calendar is wrong by. `speed`: how many times as fast
 * all clocks run, and timers that are set from then on. The address of this module names the file:
 * `clock.mjs?file=/path`; hosts get the same module, hence the same time. What has taken effect is written to
 * `<file>.seen` by the service, which alone may.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const POLL_INTERVAL_MS = 50;
const file = new URL(import.meta.url).searchParams.get('file') ?? '';

const RealDate = Date;
const realNow = performance.now.bind(performance);
const realSetTimeout = globalThis.setTimeout;

let told = '';
let [shift, speed] = [0, 1];
/**
 * Where the present speed began: the machine's monotonic clock, and what had passed for the service until
 * then.
 */
let [since, passed] = [realNow(), realNow()];
/** The calendar at a monotonic time of 0. */
const epoch = RealDate.now() - realNow();

const monotonic = () => passed + (realNow() - since) * speed;
const calendar = () => Math.round(epoch + monotonic() + shift);

globalThis.Date = class Date extends RealDate {
  constructor(...moment) {
    if (moment.length > 0) super(...moment);
    else super(calendar());
  }

  static now() {
    return calendar();
  }
};
performance.now = monotonic;
globalThis.setTimeout = Object.defineProperties(
  (run, delay, ...rest) => realSetTimeout(run, (delay ?? 0) / speed, ...rest),
  Object.getOwnPropertyDescriptors(realSetTimeout),
);

function look() {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  if (text === told) return;
  const next = JSON.parse(text);
  [passed, since] = [monotonic(), realNow()];
  ({ shift = 0, speed = 1 } = next);
  told = text;
  try {
    writeFileSync(`${file}.seen`, text);
  } catch {
    // A session host.
  }
}

look();
setInterval(look, POLL_INTERVAL_MS).unref();
