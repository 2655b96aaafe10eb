/**
 * Changes the time of the service. `node --import` loads it before the service's own code. A file contains
 * `{"shift", "speed"}`. `shift`: the calendar's error in milliseconds. `speed`: factor for all clocks, and
 * for timers that are set later. The address of this module contains the file's path: `clock.mjs?file=/path`.
 * Hosts load the same module, so they have the same time. The service writes the values in use to
 * `<file>.seen`. Hosts do not write it.
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
 * Start of the present speed: the machine's monotonic clock, and the time that had passed for the service.
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
