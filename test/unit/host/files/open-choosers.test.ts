import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { PageChooser } from '../../../../server/src/host/browser/files/choosers.js';
import {
  CHOOSER_LOST_MS,
  CHOOSER_TIMEOUT_MS,
  CHOOSER_UNDELIVERED_MS,
  OpenChoosers,
} from '../../../../server/src/host/features/files/uploads/open-choosers.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** A field that records its outcome. */
class FakeChooser {
  cancelled = 0;
  leave: () => void = () => undefined;
  readonly gone = new Promise<void>((resolve) => (this.leave = resolve));
  readonly [key: string]: unknown;

  constructor(readonly page: object) {}

  cancel = () => Promise.resolve(void (this.cancelled += 1));
  close = () => this.leave();
}

let clock: ManualClock;
let closed: string[];
let book: OpenChoosers;
const viewer = { userId: 'ada', user: {} } as unknown as Viewer;

beforeEach(() => {
  clock = new ManualClock();
  closed = [];
  book = new OpenChoosers(clock, ({ id }) => closed.push(id));
});

/** A page opens a file chooser, and the user is notified. */
function open(page = {}): { id: string; field: FakeChooser } {
  const field = ask(page);
  let id = '';
  book.tell(viewer.user, (asked) => ((id = asked.id), true));
  return { id, field };
}

/** A page opens a file chooser for a user who does not listen. */
function ask(page = {}): FakeChooser {
  const field = new FakeChooser(page);
  book.open(field as unknown as PageChooser, viewer);
  return field;
}

test('a file chooser without an answer is cancelled', () => {
  const { id, field } = open();
  clock.advance(CHOOSER_TIMEOUT_MS - 1);
  book.look((same) => same);
  assert.deepEqual([field.cancelled, closed], [0, []]);
  clock.advance(1);
  book.look((same) => same);
  assert.deepEqual([field.cancelled, closed, book.any], [1, [id], false]);
});

test('a file chooser is cancelled when its user may not choose for a while', () => {
  const { field } = open();
  book.look(() => undefined);
  clock.advance(CHOOSER_LOST_MS - 1);
  book.look((same) => same);
  clock.advance(1);
  book.look(() => undefined);
  clock.advance(CHOOSER_LOST_MS);
  assert.equal(field.cancelled, 0);
  book.look(() => undefined);
  assert.equal(field.cancelled, 1);
});

test('a file chooser stays open while its user is away, and follows the user to the next connection', () => {
  const { id, field } = open();
  const next = { userId: 'ada', user: viewer.user } as unknown as Viewer;
  book.look(() => next);
  const asked: Viewer[] = [];
  clock.advance(CHOOSER_LOST_MS * 2);
  book.look((latest) => {
    asked.push(latest);
    return latest;
  });
  assert.deepEqual([asked, book.get(id)?.viewer === next, field.cancelled], [[next], true, 0]);
});

test('a page has one open file chooser at a time', () => {
  const page = {};
  const first = open(page);
  const other = open();
  const second = open(page);
  assert.deepEqual([first.field.cancelled, other.field.cancelled, second.field.cancelled], [1, 0, 0]);
  assert.equal(book.get(first.id), undefined);
});

test('a file chooser ends when its page navigates', async () => {
  const { id, field } = open();
  field.leave();
  await field.gone;
  await Promise.resolve();
  assert.deepEqual([closed, field.cancelled], [[id], 0]);
});

test('a file chooser waits while its files are uploaded', () => {
  const { id, field } = open();
  const chooser = book.get(id);
  assert.ok(chooser);
  chooser.taken = true;
  clock.advance(CHOOSER_TIMEOUT_MS * 2);
  book.look((same) => same);
  assert.equal(field.cancelled, 0);
});

test('a file chooser waits briefly for a user who does not listen yet, and notifies the user once', () => {
  const field = ask();
  book.tell({ ...viewer.user }, () => assert.fail('another user heard of it'));
  book.tell(viewer.user, () => false);
  clock.advance(CHOOSER_UNDELIVERED_MS - 1);
  book.look((same) => same);
  const heard: string[] = [];
  for (let times = 0; times < 2; times++)
    book.tell(viewer.user, ({ id }) => {
      heard.push(id);
      return true;
    });
  clock.advance(CHOOSER_TIMEOUT_MS - CHOOSER_UNDELIVERED_MS);
  book.look((same) => same);
  assert.deepEqual([heard.length, field.cancelled], [1, 0]);
});

test('a file chooser without a notified user is cancelled', () => {
  const field = ask();
  clock.advance(CHOOSER_UNDELIVERED_MS);
  book.look((same) => same);
  assert.deepEqual([field.cancelled, book.any], [1, false]);
});
