import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  listening,
  SOUND_SOCKET,
  SoundCard,
  soundDirectory,
} from '../../../../server/src/host/audio/sound-card.js';

const run = promisify(execFile);

let directory: string;
let card: SoundCard;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cloud-browser-sound-'));
  card = await SoundCard.start(directory);
});
after(async () => {
  await card.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A program that plays to the sound server, such as a compromised browser. */
const client = (...args: string[]) =>
  run('pactl', ['-s', `unix:${join(soundDirectory(directory), SOUND_SOCKET)}`, ...args], {
    env: { ...process.env, HOME: directory, XDG_RUNTIME_DIR: directory },
  });

describe('a client of the sound server', () => {
  it('finds the only output', async () => {
    const { stdout } = await client('list', 'short', 'sinks');
    assert.match(stdout, /^\d+\tout\tmodule-pipe-sink\.c\t[^\n]*\n$/);
  });

  it('cannot load a module, which could write files and open ports', async () => {
    const modules = () => client('list', 'short', 'modules').then(({ stdout }) => stdout);
    const before = await modules();
    await assert.rejects(client('load-module', 'module-null-sink'), /Module initialization failed/);
    assert.equal(await modules(), before);
  });

  it('cannot end the server', async () => {
    await assert.rejects(client('exit'), /Access denied/);
    assert.equal(card.process.running, true);
  });
});

describe('the start of the sound server', () => {
  it('succeeds in a directory with any characters', async () => {
    const own = await mkdtemp(join(tmpdir(), `cloud-browser-sound 'a" \\ ü=`));
    const other = await SoundCard.start(own);
    await other.answers();
    await other.stop();
    await rm(own, { recursive: true, force: true });
  });

  it('ends only when the server listens on its socket', async () => {
    const own = await mkdtemp(join(tmpdir(), 'cloud-browser-sound-'));
    const socket = join(own, SOUND_SOCKET);
    let isListening = false;
    const listens = listening(own, SOUND_SOCKET).then(() => assert.ok(isListening));
    // Refuses connections, like a socket on which nobody listens yet.
    await writeFile(socket, '');
    const [refusal] = (await once(connect(socket), 'error')) as [NodeJS.ErrnoException];
    assert.equal(refusal.code, 'ECONNREFUSED');
    await rm(socket);
    const server = createServer();
    isListening = true;
    server.listen(socket);
    await listens;
    server.close();
    await rm(own, { recursive: true });
  });
});
