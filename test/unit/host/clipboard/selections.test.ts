import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Reply } from 'x11';
import type { ClipboardData } from 'cloud-browser/protocol';
import {
  clipboardAtoms,
  type ClipboardAtoms,
} from '../../../../server/src/host/display/clipboard/clipboard-atoms.js';
import { SelectionOwner } from '../../../../server/src/host/display/clipboard/selection-owner.js';
import {
  NoHandover,
  SelectionReader,
  TooLarge,
} from '../../../../server/src/host/display/clipboard/selection-reader.js';
import { FakeSelections, type FakeProgram } from '../../../fakes/fake-selections.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const MIB = 1024 * 1024;
/** Timeout for programs that never answer. The other programs in these tests answer at once. */
const TIMEOUTS = { answer: 1_000, whole: 5_000 };

let display: FakeSelections;
let atoms: ClipboardAtoms;
let other: FakeProgram;
let owner: SelectionOwner;
let clock: ManualClock;
let reader: SelectionReader;
beforeEach(async () => {
  display = new FakeSelections();
  const [host, browser] = [display.program(), display.program()];
  other = display.program();
  atoms = await clipboardAtoms(host.connection);
  clock = new ManualClock();
  owner = new SelectionOwner(host.connection, atoms, clock);
  reader = new SelectionReader(browser.connection, atoms, TIMEOUTS);
});

const bytes = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, index) => index * 7));
const numbersOf = (data: Buffer | undefined) =>
  Array.from({ length: (data?.length ?? 0) / 4 }, (_, index) => data?.readUInt32LE(index * 4));

/** Another program takes the clipboard and answers as the test says. */
function take(answer: (ask: Record<string, number>) => void): void {
  const window = display.allocate();
  const x = other.x as unknown as Record<string, (...args: unknown[]) => void>;
  x['CreateWindow']?.(window);
  x['SetSelectionOwner']?.(window, atoms.CLIPBOARD);
  other.x.on('event', (event: { name: string }) => {
    if (event.name === 'SelectionRequest') answer(event as unknown as Record<string, number>);
  });
}

const send = (request: string, ...args: unknown[]) =>
  (other.x as unknown as Record<string, (...all: unknown[]) => void>)[request]?.(...args);

/** A program's answer as one piece. */
function sendPiece({ requestor, property }: Record<string, number>, piece: Buffer): void {
  send('ChangeProperty', 0, requestor, property, atoms.UTF8_STRING, 8, piece);
  send('SendEvent', requestor, 0, 0, { name: 'SelectionNotify', requestor, property });
}

/** A program's announcement of this number of bytes in several pieces. */
function beginPieces({ requestor, property }: Record<string, number>, total: number): void {
  send('ChangeProperty', 0, requestor, property, atoms.INCR, 32, [total]);
  send('SendEvent', requestor, 0, 0, { name: 'SelectionNotify', requestor, property });
}

const plain = (text: string): ClipboardData => new Map([['text/plain', Buffer.from(text)]]);

describe('content that the host puts on the clipboard', () => {
  it('is offered in its formats and delivered in each, whatever its length', async () => {
    const data: ClipboardData = new Map([
      ['text/plain', Buffer.from('plain ✓')],
      ['image/png', bytes(3 * MIB + 5)],
    ]);
    await owner.own(data);
    const offered = numbersOf(await reader.read(atoms.TARGETS, 4096));
    assert.ok(offered.includes(atoms.UTF8_STRING) && offered.includes(atoms['image/png']));
    assert.ok(!offered.includes(atoms['text/html']));
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'plain ✓');
    assert.deepEqual(await reader.read(atoms['image/png'], 16 * MIB), bytes(3 * MIB + 5));
    assert.equal(await reader.read(atoms['text/html'], MIB), undefined);
  });

  it('is gone when the host releases it, and when another program has copied', async () => {
    await owner.own(plain('one'));
    await owner.disown();
    assert.equal(await reader.read(atoms.UTF8_STRING, MIB), undefined);
    await owner.own(plain('two'));
    take((ask) => sendPiece(ask, Buffer.from('theirs')));
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'theirs');
    assert.equal(owner.data, undefined);
    await owner.disown();
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'theirs');
  });

  it('stays if it arrives while the host releases earlier content', async () => {
    await owner.own(plain('one'));
    const released = owner.disown();
    await owner.own(plain('two'));
    await released;
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'two');
  });

  it('stays if it arrives directly after the host has released earlier content', async () => {
    await owner.own(plain('one'));
    await owner.disown();
    await owner.own(plain('two'));
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'two');
  });

  it('stays if the host hears only then of an earlier loss', async () => {
    await owner.own(new Map([['text/plain', Buffer.from('one')]]));
    // The display reports this loss in a later turn, after the host has sent its request.
    take(() => assert.fail('the other program is not the owner any more'));
    await owner.own(new Map([['text/plain', Buffer.from('two')]]));
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'two');
    await owner.disown();
    assert.equal(display.owners.get(atoms.CLIPBOARD), 0);
  });

  it('is delivered in two formats to one window at the same time', async () => {
    const [short, long] = [bytes(MIB), bytes(3 * MIB)];
    await owner.own(
      new Map([
        ['text/plain', short],
        ['image/png', long],
      ]),
    );
    const window = display.allocate();
    send('CreateWindow', window);
    send('ChangeWindowAttributes', window, { eventMask: 1 });
    const receive = (target: number, property: number) =>
      new Promise<number>((resolve) => {
        let length = 0;
        const take = (_: unknown, { type, data }: { type: number; data: Buffer }) => {
          if (type === atoms.INCR) return;
          length += data.length;
          if (data.length === 0) resolve(length);
        };
        other.x.on('event', ({ name, atom, state }: { name: string; atom?: number; state?: number }) => {
          if (name === 'PropertyNotify' && atom === property && state === 0)
            send('GetProperty', 1, window, property, 0, 0, MIB, take);
        });
        send('ConvertSelection', window, atoms.CLIPBOARD, target, property, 0);
      });
    const properties = [display.atom('short'), display.atom('long')] as const;
    const received = await Promise.all([
      receive(atoms.UTF8_STRING, properties[0]),
      receive(atoms['image/png'], properties[1]),
    ]);
    assert.deepEqual(received, [short.length, long.length]);
  });

  it('does not stay after a loss that arrives together with the answer about the owner', async () => {
    const { x, connection } = display.program();
    const mine = new SelectionOwner(connection, atoms, clock);
    await mine.own(plain('one'));
    const theirs = display.allocate();
    send('CreateWindow', theirs);
    const { GetSelectionOwner } = x as unknown as Record<string, unknown>;
    Object.assign(x, {
      GetSelectionOwner: (selection: number, reply: Reply<number>) => {
        const before = display.owners.get(selection) ?? 0;
        display.owners.set(selection, theirs);
        setImmediate(() => {
          reply(null, before);
          x.emit('event', { name: 'SelectionClear', owner: before, selection });
        });
      },
    });
    await mine.disown();
    assert.equal(display.owners.get(atoms.CLIPBOARD), theirs, 'the other program keeps the clipboard');
    Object.assign(x, { GetSelectionOwner });
    await mine.own(plain('two'));
    const cleared = new Promise<void>((resolve) => {
      x.on('event', ({ name }: { name: string }) => name === 'SelectionClear' && resolve());
    });
    send('SetSelectionOwner', theirs, atoms.CLIPBOARD);
    await cleared;
    assert.equal(mine.data, undefined);
  });

  it('is removed, like the content of other programs', async () => {
    await owner.own(plain('of a user'));
    await owner.release();
    assert.equal(owner.data, undefined);
    take((ask) => sendPiece(ask, Buffer.from('copied')));
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'copied');
    await owner.release();
    assert.equal(await reader.read(atoms.UTF8_STRING, MIB), undefined);
    await owner.own(plain('new'));
    assert.equal(String(await reader.read(atoms.UTF8_STRING, MIB)), 'new');
  });

  it('is not waited for if the display has ended', async () => {
    const { x, connection } = display.program();
    const mine = new SelectionOwner(connection, atoms, clock);
    await mine.own(plain('one'));
    Object.assign(x, { GetSelectionOwner: () => undefined });
    const refused = [
      assert.rejects(mine.disown(), /does not answer/),
      assert.rejects(mine.own(plain('two')), /does not answer/),
    ];
    assert.equal(clock.pending, 2);
    clock.advance(8_000);
    await Promise.all(refused);
    assert.equal(mine.data, undefined);
  });

  it('is dropped for a program that does not read its next piece', async () => {
    let taken = 0;
    owner.onTaken = () => (taken += 1);
    await owner.own(new Map([['image/png', bytes(MIB)]]));
    const window = display.allocate();
    send('CreateWindow', window);
    send('ConvertSelection', window, atoms.CLIPBOARD, atoms['image/png'], atoms.CLOUD_BROWSER_CLIPBOARD, 0);
    await new Promise<void>((resolve) => {
      other.x.on('event', ({ name }: { name: string }) => name === 'SelectionNotify' && resolve());
    });
    assert.equal(clock.pending, 1);
    clock.advance(5_000);
    assert.deepEqual([clock.pending, taken], [0, 1]);
  });
});

describe("reading a program's copied content", () => {
  it('ends when the program never answers', async () => {
    take(() => undefined);
    await assert.rejects(reader.read(atoms.TARGETS, 4096), NoHandover);
  });

  it('ends when the display does not send the answer', async () => {
    const { x, connection } = display.program();
    Object.assign(x, { GetProperty: () => undefined });
    take((ask) => sendPiece(ask, bytes(4)));
    const brief = new SelectionReader(connection, atoms, { answer: 1_000, whole: 100 });
    await assert.rejects(brief.read(atoms.UTF8_STRING, MIB), NoHandover);
  });

  it('ends when the program starts to send pieces and stops', async () => {
    take((ask) => beginPieces(ask, MIB));
    await assert.rejects(reader.read(atoms.UTF8_STRING, MIB), NoHandover);
  });

  it('stops at the size limit of an endless program, and reads no more', async () => {
    let pieces = 0;
    const piece = bytes(100_000);
    take((ask) => {
      const { requestor, property } = ask;
      send('ChangeWindowAttributes', requestor, { eventMask: 1 });
      other.x.on('event', ({ name, state }: { name: string; state?: number }) => {
        if (name !== 'PropertyNotify' || state !== 1) return;
        pieces += 1;
        send('ChangeProperty', 0, requestor, property, atoms.UTF8_STRING, 8, piece);
      });
      beginPieces(ask, 500 * MIB);
    });
    await assert.rejects(reader.read(atoms.UTF8_STRING, MIB), TooLarge);
    assert.ok(pieces <= 13, `${pieces} pieces`);
    assert.equal(display.windows.size, 2, 'the window of the question is gone');
  });

  it('refuses a single piece that is too long', async () => {
    take((ask) => sendPiece(ask, bytes(2_000)));
    await assert.rejects(reader.read(atoms.UTF8_STRING, 1_999), TooLarge);
    assert.equal((await reader.read(atoms.UTF8_STRING, 2_000))?.length, 2_000);
  });
});
