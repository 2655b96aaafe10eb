import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { ClipboardData } from 'cloud-browser/protocol';
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
  return { clock, display, clipboard, copies };
}

const textOf = (text: string): ClipboardData => new Map([['text/plain', Buffer.from(text)]]);

/** A clipboard with Anna's content, which a page reads at the moment. `taken` ends the reading. */
async function pasting() {
  const { clock, display, clipboard } = setUp();
  await clipboard.offer(ANNA, textOf('of Anna'));
  clipboard.pasting();
  const taken = () => {
    display.owner.onTaken();
    clock.advance(60);
  };
  return { display, clipboard, taken };
}

void test('a copy belongs to the user who acted within five seconds', async () => {
  const { clock, clipboard, copies } = setUp();
  void clipboard.acts(ANNA, false);
  clock.advance(4_900);
  assert.equal(await copies(), ANNA);
  clock.advance(200);
  assert.equal(await copies(), undefined);
});

void test('content that a user or a program sends is reported before the browser gets it', async () => {
  const { display, clipboard } = setUp();
  const sent: string[] = [];
  clipboard.onSent = (data) => sent.push(`${String(data.get('text/plain'))} at ${display.said.length}`);
  const [own, shared] = [textOf('of Anna'), textOf('for all')];
  await clipboard.offer(ANNA, own);
  await clipboard.offer(ANNA, own);
  await clipboard.write(shared);
  assert.deepEqual(sent, ['of Anna at 0', 'of Anna at 1', 'for all at 1']);
});

void test('content for a paste stays private if an earlier copy is reported while it is set', async (context) => {
  const { display, clipboard } = setUp();
  const { owner } = display;
  const { own } = owner;
  context.mock.method(owner, 'own', async (data: ClipboardData) => {
    await own(data);
    display.onCopied();
  });
  await clipboard.offer(ANNA, textOf('of Anna'));
  assert.equal((await clipboard.read(undefined, BOB)).size, 0);
  await clipboard.acts(BOB, false);
  assert.equal(owner.data, undefined);
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

describe('a key of another user during a paste', () => {
  it("leaves the content that the customer's program sets meanwhile", async () => {
    const { display, clipboard, taken } = await pasting();
    const shared = textOf('shared');
    const written = clipboard.write(shared);
    const emptied = clipboard.acts(BOB, false);
    taken();
    await Promise.all([written, emptied]);
    assert.equal(display.owner.data, shared);
  });

  it('leaves the content that this user sends meanwhile', async () => {
    const { display, clipboard, taken } = await pasting();
    const own = textOf('of Bob');
    const offered = clipboard.offer(BOB, own);
    const emptied = clipboard.acts(BOB, false);
    taken();
    await Promise.all([offered, emptied]);
    assert.equal(display.owner.data, own);
  });

  it('removes the content that a third user sends meanwhile', async () => {
    const { display, clipboard, taken } = await pasting();
    const offered = clipboard.offer({ name: 'Carla' }, textOf('of Carla'));
    const emptied = clipboard.acts(BOB, false);
    taken();
    await Promise.all([offered, emptied]);
    assert.equal(display.owner.data, undefined);
  });
});

describe('content that several callers read at the same time', () => {
  /** Makes reads wait for an answer. Returns the functions that answer them. */
  function slow(display: FakeDisplayClipboard) {
    const answers: ((data: ClipboardData) => void)[] = [];
    display.reading = () => new Promise((resolve) => answers.push(resolve));
    return answers;
  }

  it('is read and held once', async () => {
    const { display, clipboard } = setUp();
    const answers = slow(display);
    const reads = [clipboard.read(), clipboard.read(), clipboard.read(['text/plain'])];
    assert.equal(answers.length, 2);
    for (const answer of answers) answer(textOf('large'));
    const [one, other] = await Promise.all(reads);
    assert.equal(one, other);
    void clipboard.read();
    assert.equal(answers.length, 3);
  });

  it('is read again when it has changed', async () => {
    const { display, clipboard } = setUp();
    const answers = slow(display);
    const reads = [clipboard.read()];
    display.copies('new');
    reads.push(clipboard.read());
    await clipboard.write(textOf('shared'));
    reads.push(clipboard.read());
    await clipboard.offer(ANNA, textOf('of Anna'));
    reads.push(clipboard.read(undefined, ANNA));
    await clipboard.acts(BOB, false);
    reads.push(clipboard.read());
    assert.equal(answers.length, 5);
    for (const answer of answers) answer(new Map());
    await Promise.all(reads);
  });

  it('is empty for other users if a user sends content for a paste meanwhile', async () => {
    const { display, clipboard } = setUp();
    const answers = slow(display);
    const reads = [clipboard.read(undefined, ANNA), clipboard.read(undefined, BOB), clipboard.read()];
    await clipboard.offer(ANNA, textOf('of Anna'));
    for (const answer of answers) answer(textOf('of Anna'));
    assert.deepEqual(
      (await Promise.all(reads)).map(({ size }) => size),
      [1, 0, 0],
    );
  });
});

describe('after privacy mode', () => {
  it('content that was copied in it is removed before another user acts or reads', async () => {
    const { display, clipboard } = setUp();
    clipboard.beginPrivacy();
    display.copies('secret');
    assert.equal((await clipboard.read(undefined, ANNA)).size, 1);
    clipboard.endPrivacy();
    const read = clipboard.read(undefined, BOB);
    await clipboard.acts(BOB, false);
    assert.deepEqual(display.said, ['release']);
    assert.equal((await read).size, 0);
  });

  it('a copy of a busy page, because of an act in it, is removed before another user acts or reads', async () => {
    for (const [shortcut, later] of [
      [true, 29_000],
      [false, 4_000],
    ] as const) {
      const { clock, display, clipboard } = setUp();
      clipboard.onCopied = () => assert.fail('Nobody learns of the copy.');
      clipboard.beginPrivacy();
      void clipboard.acts(ANNA, shortcut);
      clipboard.endPrivacy();
      clock.advance(later);
      void clipboard.acts(BOB, true);
      display.copies('secret');
      const read = clipboard.read(undefined, BOB);
      await clipboard.acts(BOB, false);
      assert.deepEqual(display.said, ['release']);
      assert.equal((await read).size, 0);
      clock.advance(20);
    }
  });

  it('a copy because of a later act is for all users', async () => {
    const { clock, clipboard, copies } = setUp();
    clipboard.beginPrivacy();
    void clipboard.acts(ANNA, true);
    assert.equal(await copies(), ANNA);
    clipboard.endPrivacy();
    clock.advance(5_100);
    void clipboard.acts(BOB, true);
    assert.equal(await copies(), BOB, 'the act of Anna was long ago, and her shortcut has copied');
    clipboard.beginPrivacy();
    void clipboard.acts(ANNA, true);
    clipboard.endPrivacy();
    void clipboard.acts(ANNA, true);
    assert.equal(await copies(), ANNA, 'Anna has acted again');
  });

  it('content from before stays', async () => {
    const { display, clipboard } = setUp();
    display.copies('shared');
    clipboard.beginPrivacy();
    clipboard.endPrivacy();
    await clipboard.acts(BOB, false);
    assert.deepEqual(display.said, []);
    assert.equal((await clipboard.read(undefined, BOB)).size, 1);
  });

  it('a paste of another user waits for the removal', async () => {
    const { display, clipboard } = setUp();
    clipboard.beginPrivacy();
    await clipboard.offer(ANNA, textOf('of Anna'));
    clipboard.endPrivacy();
    await clipboard.offer(BOB, textOf('of Bob'));
    assert.deepEqual(display.said, ['own text/plain 7', 'release', 'own text/plain 6']);
  });
});

describe('a copy of the browser that comes back from a local clipboard', () => {
  const HTML = new Map([...textOf('one'), ['text/html', Buffer.from('<b>one</b>')] as const]);

  it('stays, because it has formats that the local clipboard has lost', async () => {
    const { display, clipboard } = setUp();
    display.copies('one\ntwo');
    await clipboard.offer(ANNA, textOf('one\r\ntwo'));
    assert.deepEqual([display.said, display.owner.data], [[], undefined]);
    assert.equal((await clipboard.read(undefined, BOB)).size, 1);
  });

  it('is replaced by other text, and by text in more formats', async () => {
    const { display, clipboard } = setUp();
    display.copies('one');
    await clipboard.offer(ANNA, HTML);
    display.copies('one');
    await clipboard.offer(ANNA, textOf('two'));
    assert.deepEqual(display.said, ['own text/plain 3, text/html 10', 'own text/plain 3']);
  });

  it('is replaced if the browser does not hand it over', async () => {
    const { display, clipboard } = setUp();
    display.copies('one');
    display.reading = () => Promise.reject(new Error('busy'));
    await clipboard.offer(ANNA, textOf('one'));
    assert.deepEqual(display.said, ['own text/plain 3']);
  });
});
