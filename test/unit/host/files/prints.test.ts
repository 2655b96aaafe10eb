import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { Prints, type Printable } from '../../../../server/src/host/features/files/downloads/prints.js';
import { until } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const PAGE = {} as unknown as CdpSession;
const OTHER = {} as unknown as CdpSession;
const NEWEST = {} as unknown as CdpSession;

let directory: string;
let begun: string[];
let prints: Prints;
let clock: ManualClock;
/** Ends the browser's answer to each print, in order. */
let ends: (() => void)[];

const browser: Printable = {
  gone: new Promise(() => undefined),
  print: () => new Promise((resolve) => ends.push(() => resolve(undefined))),
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cloud-browser-prints-'));
  begun = [];
  ends = [];
  const downloads = { begin: () => true, progress: () => true, ended: () => undefined };
  clock = new ManualClock();
  prints = new Prints(directory, 'prints', downloads, clock);
});
afterEach(() => rm(directory, { recursive: true }));

function begin(id: string): void {
  const before = ends.length;
  prints.begin(browser, PAGE, id);
  if (ends.length > before) begun.push(id);
}

/** Prints two other pages while a page is printed. Returns the printed pages after the end of this print. */
async function printedAfter(meanwhile: () => void): Promise<CdpSession[]> {
  const printed: CdpSession[] = [];
  const noting: Printable = {
    ...browser,
    print: (page) => {
      printed.push(page);
      return browser.print(page);
    },
  };
  prints.begin(noting, PAGE, 'one');
  for (const page of [PAGE, OTHER, NEWEST]) prints.begin(noting, page, 'later');
  assert.deepEqual(printed, [PAGE]);
  meanwhile();
  for (let round = 0; round < 5; round++) await turn();
  return printed;
}

test('the newest page that prints while another page is printed is printed after it', async () => {
  assert.deepEqual(await printedAfter(() => ends[0]?.()), [PAGE, NEWEST]);
  ends[1]?.();
  for (let round = 0; round < 5; round++) await turn();
  assert.equal(ends.length, 2);
});

test('a page that prints is printed when a user cancels the print of a page that hangs', async () => {
  assert.deepEqual(await printedAfter(() => prints.cancel('one')), [PAGE, NEWEST]);
});

test('a page that prints is printed 10 seconds after the beginning of a print that hangs', async () => {
  assert.deepEqual(await printedAfter(() => clock.advance(9_999)), [PAGE]);
  clock.advance(1);
  assert.equal(ends.length, 2);
  assert.equal(clock.pending, 0);
});

test('a print that another page has passed goes on, and its file is complete', async () => {
  const ended: [string, number | null][] = [];
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => (write = resolve));
  async function* pdf(): AsyncGenerator<Buffer> {
    await written;
    yield Buffer.from('%PDF');
  }
  const slow: Printable = { ...browser, print: () => Promise.resolve({ title: 'Page', parts: pdf() }) };
  const downloads = {
    ...{ begin: () => true, progress: () => true },
    ended: (id: string, bytes: number | null) => ended.push([id, bytes]),
  };
  prints = new Prints(directory, 'prints', downloads, clock);
  prints.begin(slow, PAGE, 'one');
  await until(() => existsSync(join(directory, 'one')));
  prints.begin(browser, OTHER, 'two');
  clock.advance(10_000);
  assert.equal(ends.length, 1);
  write();
  await until(() => ended.length === 1);
  assert.deepEqual(ended, [['one', 4]]);
});

test('a page of a browser that has ended is not printed', async () => {
  const end = () => {
    prints.browserIsGone();
    ends[0]?.();
  };
  assert.deepEqual(await printedAfter(end), [PAGE]);
});

test('the end of a canceled print does not allow a third print beside the second one', async () => {
  begin('one');
  prints.cancel('one');
  begin('two');
  ends[0]?.();
  for (let round = 0; round < 5; round++) await turn();
  begin('three');
  assert.deepEqual(begun, ['one', 'two']);
});

test('a print that is cancelled before its file exists leaves no file', async (context) => {
  async function* pdf(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from('%PDF'));
  }
  const page: Printable = { ...browser, print: () => Promise.resolve({ title: 'Page', parts: pdf() }) };
  const begin = (id: string): boolean => {
    cancelled.cancel(id);
    return true;
  };
  const downloads = { begin, progress: () => false, ended: () => undefined };
  const cancelled = new Prints(directory, 'prints', downloads, new ManualClock());
  // The print calls this method again at its end.
  const cancel = context.mock.method(cancelled, 'cancel');
  cancelled.begin(page, PAGE, 'one');
  await until(() => cancel.mock.callCount() === 2);
  assert.deepEqual(await readdir(directory), []);
});
