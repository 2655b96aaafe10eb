import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  LoneCommands,
  type ProgramQueue,
} from '../../../../server/src/host/features/automation/commands/lone-commands.js';
import { pause } from '../../../../server/src/platform/time/clock.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';

/** Duration of a screenshot. Milliseconds. */
const PICTURE_MS = 100;

let clock: ManualClock;
let commands: LoneCommands;
/** Commands that have begun, by the names of their programs. */
let begun: string[];
/** Ends the command that runs. */
let end: () => void;

beforeEach(() => {
  clock = new ManualClock();
  commands = new LoneCommands(clock);
  begun = [];
  end = () => undefined;
});

/** Sends a command of a program. The command ends when the test calls {@link end}. */
function send(program: ProgramQueue, name: string): Promise<void> {
  return program.run(() => {
    begun.push(name);
    return new Promise((resolve) => (end = resolve));
  });
}

/** Lets a program send one command after the other for a time. Each takes {@link PICTURE_MS}. */
async function loop(program: ProgramQueue, milliseconds: number, pauseMs = 0): Promise<number> {
  const until = clock.now() + milliseconds;
  let ended = 0;
  while (clock.now() < until) {
    const from = begun.length;
    const sent = send(program, 'loop');
    await settle();
    while (begun.length === from) await pass(10);
    await pass(PICTURE_MS);
    end();
    await sent;
    ended += 1;
    await pass(pauseMs);
  }
  return ended;
}

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await settle();
}

describe('commands that run alone', () => {
  it('begin one after the other', async () => {
    const [one, other] = [commands.ofProgram(), commands.ofProgram()];
    void send(one, 'a');
    void send(other, 'b');
    void send(one, 'c');
    await settle();
    assert.deepEqual(begun, ['a']);
    end();
    await settle();
    assert.deepEqual(begun, ['a', 'b']);
    end();
    await settle();
    assert.deepEqual(begun, ['a', 'b', 'c']);
  });

  it('do not wait if a program takes a screenshot after each act', async () => {
    const program = commands.ofProgram();
    const rounds = await loop(program, 60_000, 400);
    assert.equal(rounds, 60_000 / (PICTURE_MS + 400));
  });

  it('do not wait if a program takes some screenshots in a row', async () => {
    assert.equal(await loop(commands.ofProgram(), 900), 9);
  });

  it('get a share of the time if a program captures the page without a pause', async () => {
    const rounds = await loop(commands.ofProgram(), 20_000);
    assert.ok(rounds >= 45 && rounds <= 52, `${rounds} screenshots of 100 ms in 20 s`);
  });

  it('do not wait for the budget of another program', async () => {
    await loop(commands.ofProgram(), 20_000);
    void send(commands.ofProgram(), 'modest');
    await settle();
    assert.equal(begun.at(-1), 'modest');
  });

  it('share a part of the time if several programs take screenshots without a pause', async () => {
    const programs = Array.from({ length: 5 }, () => commands.ofProgram());
    let ended = 0;
    const picture = async () => {
      await pause(clock, PICTURE_MS);
      ended += 1;
    };
    for (const program of programs) for (let count = 0; count < 30; count++) void program.run(picture);
    for (let time = 0; time < 20_000; time += 10) await pass(10);
    assert.ok(ended >= 70 && ended <= 76, `${ended} screenshots of 100 ms in 20 s`);
  });

  it('are not held back by a page that does not answer', async () => {
    const [one, other] = [commands.ofProgram(), commands.ofProgram()];
    let answered = false;
    const stuck = send(one, 'stuck').then(() => (answered = true));
    await settle();
    const answer = end;
    void send(other, 'other');
    await pass(4_999);
    assert.deepEqual(begun, ['stuck']);
    await pass(1);
    assert.deepEqual([begun, answered], [['stuck', 'other'], false]);
    answer();
    await stuck;
  });

  it('of the same program are not held back for ever by a page that does not answer', async () => {
    const program = commands.ofProgram();
    const stuck = send(program, 'stuck');
    await settle();
    const answer = end;
    const other = send(program, 'other');
    for (let time = 0; time < 60_000; time += 1_000) await pass(1_000);
    assert.deepEqual(begun, ['stuck', 'other']);
    end();
    await other;
    answer();
    await stuck;
  });

  it('have a limit for each program', async () => {
    const [one, other] = [commands.ofProgram(), commands.ofProgram()];
    for (let count = 0; count < 40; count++) {
      assert.equal(one.full, false);
      void send(one, 'one');
    }
    await settle();
    assert.deepEqual([one.full, other.full], [true, false]);
  });

  it('fail with the error of the command, and the next one begins', async () => {
    const program = commands.ofProgram();
    await assert.rejects(
      program.run(() => Promise.reject(new Error('gone'))),
      /gone/,
    );
    void send(program, 'next');
    await settle();
    assert.deepEqual(begun, ['next']);
  });
});
