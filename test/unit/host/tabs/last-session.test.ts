import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { lastTabInFront, tabInFront } from '../../../../server/src/host/browser/launch/last-session.js';

const HEADER = Buffer.from('SNSS\x03\0\0\0', 'latin1');
const SELECTED = 8;
const TYPE = 9;
const NAVIGATION = 6;
const CLOSED = 16;

/** A command as Chromium writes it. */
function command(number: number, ...values: number[]): Buffer {
  const payload = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => payload.writeInt32LE(value, index * 4));
  const head = Buffer.alloc(3);
  head.writeUInt16LE(payload.length + 1);
  head.writeUInt8(number, 2);
  return Buffer.concat([head, payload]);
}
const session = (...commands: Buffer[]) => Buffer.concat([HEADER, ...commands]);
/** The rest of a navigation entry is a pickle behind its length and its tab. */
const page = (tab: number) => command(NAVIGATION, 16, tab, 0, 0);
const TWO = session(page(1), command(TYPE, 7, 0), command(SELECTED, 7, 1), command(SELECTED, 7, 2));

describe('the restored front tab', () => {
  it('is the last one in the file, of a window and not of a popup', () => {
    assert.equal(tabInFront(TWO), 2);
    const popup = [page(2), command(TYPE, 8, 1), command(SELECTED, 8, 0)];
    assert.equal(tabInFront(session(TWO.subarray(HEADER.length), ...popup)), 2);
    assert.equal(tabInFront(session(...popup)), undefined);
  });

  it('is none if no tab has a page', () => {
    const rest = [command(TYPE, 7, 0), command(SELECTED, 7, 0)];
    assert.equal(tabInFront(session(...rest)), undefined);
    assert.equal(tabInFront(session(page(1), page(2), command(CLOSED, 1, 0, 0), ...rest)), 0);
    assert.equal(tabInFront(session(page(1), ...rest, command(CLOSED, 1, 0, 0))), undefined);
  });

  it('is read from a truncated file, and broken files are harmless', () => {
    assert.equal(tabInFront(TWO.subarray(0, -1)), 1);
    for (const file of [
      Buffer.alloc(0),
      Buffer.from('no session'),
      session(),
      session(command(SELECTED), command(TYPE, 7), Buffer.alloc(9)),
      session(page(1), command(TYPE, 7, 0), command(SELECTED, 7, -1)),
    ])
      assert.equal(tabInFront(file), undefined);
  });
});

describe('the last session of a profile', () => {
  let home: string;
  let sessions: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'home-'));
    sessions = join(home, 'profile/Default/Sessions');
  });
  afterEach(() => rm(home, { recursive: true }));

  it('is in the newest file', async () => {
    await mkdir(sessions, { recursive: true });
    await writeFile(join(sessions, 'Session_13439828758372669'), TWO);
    await writeFile(join(sessions, 'Session_13439828641331676'), session());
    await writeFile(join(sessions, 'Tabs_13439828758772480'), session());
    assert.equal(await lastTabInFront(home), 2);
  });

  it('is missing without a file, and never read through a link', async () => {
    assert.equal(await lastTabInFront(home), undefined);
    const elsewhere = join(home, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'Session_1'), TWO);
    await mkdir(join(home, 'profile/Default'), { recursive: true });
    await symlink(elsewhere, sessions);
    assert.equal(await lastTabInFront(home), undefined);
    await rm(sessions);
    await mkdir(sessions);
    await symlink(join(elsewhere, 'Session_1'), join(sessions, 'Session_1'));
    assert.equal(await lastTabInFront(home), undefined);
  });
});
