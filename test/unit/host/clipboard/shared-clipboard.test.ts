import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { fakeClipboard, FakeDisplayClipboard } from '../../../fakes/fake-clipboard.js';

const ANNA = { name: 'Anna' };
const BOB = { name: 'Bob' };

/** A clipboard. `copies` lets a page copy, and resolves to the user whose copy it is. */
function setUp() {
  const clock = new ManualClock();
  const display = new FakeDisplayClipboard();
  const clipboard = fakeClipboard(display, clock);
  const copies = () =>
    new Promise<unknown>((resolve) => {
      clipboard.onCopied = ({ by }) => resolve(by);
      display.copies('text');
      clock.advance(20);
    });
  return { clock, clipboard, copies };
}

void test('a copy belongs to the user who acted within five seconds', async () => {
  const { clock, clipboard, copies } = setUp();
  void clipboard.acts(ANNA, false);
  clock.advance(4_900);
  assert.equal(await copies(), ANNA);
  clock.advance(200);
  assert.equal(await copies(), undefined);
});

void test('the first copy after a shortcut belongs to its user although the page was busy', async () => {
  const { clock, clipboard, copies } = setUp();
  void clipboard.acts(ANNA, true);
  clock.advance(29_000);
  assert.equal(await copies(), ANNA);
  assert.equal(await copies(), undefined, 'a second copy is not the user’s');
});

void test('a copy that comes too long after a shortcut belongs to nobody', async () => {
  const { clock, clipboard, copies } = setUp();
  void clipboard.acts(ANNA, true);
  clock.advance(30_100);
  assert.equal(await copies(), undefined);
});

void test('a shortcut counts for a second before the actions of others, and not for longer', async () => {
  const { clock, clipboard, copies } = setUp();
  void clipboard.acts(ANNA, true);
  clock.advance(500);
  void clipboard.acts(BOB, false);
  assert.equal(await copies(), ANNA);
  void clipboard.acts(ANNA, true);
  void clipboard.acts(BOB, false);
  clock.advance(5_100);
  assert.equal(await copies(), undefined);
});

void test('a copy does not belong to a user who has left', async () => {
  const { clipboard, copies } = setUp();
  void clipboard.acts(ANNA, true);
  clipboard.forget(ANNA);
  assert.equal(await copies(), undefined);
});
