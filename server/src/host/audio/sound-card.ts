import { constants, openSync, watch } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SOUND_FORMAT } from 'cloud-browser/protocol';
import { ManagedProcess } from '../../platform/process/child-process.js';
import { HELPER_FILTER, helperArgs } from '../sandbox/helper-sandbox.js';
import { giveFilter } from '../sandbox/system-calls.js';
import { soundServerAnswers } from './sound-answer.js';

/** File name of the sound server's socket. The browser can access only this socket of the sound server. */
export const SOUND_SOCKET = 'native';

/** Returns the directory of the socket to which programs send their sound. */
export const soundDirectory = (sessionDirectory: string) => join(sessionDirectory, 'sound', 'server');

/** Longest time in milliseconds until the server listens on its socket. On an idle machine it takes 50 ms. */
const START_TIMEOUT_MS = 5_000;
/** Pause after a refused connection. Milliseconds. */
const RETRY_MS = 5;

/**
 * A PulseAudio server with one output for one session. The server writes the played sound into a pipe in real
 * time. During silence it writes nothing. The alternative, a null sink with a recorder, would need another
 * process that never sleeps.
 */
export class SoundCard {
  private constructor(
    readonly process: ManagedProcess,
    /** Samples: interleaved stereo, 16 bits each, little-endian. */
    readonly samples: Readable,
    private readonly socket: string,
  ) {}

  /** Starts the server. Resolves when programs can connect. */
  static async start(sessionDirectory: string): Promise<SoundCard> {
    const home = join(sessionDirectory, 'sound');
    const directory = soundDirectory(sessionDirectory);
    const [socket, pipe] = [join(directory, SOUND_SOCKET), join(home, 'samples')];
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // A killed server leaves its socket and its pipe behind.
    await Promise.all([rm(socket, { force: true }), rm(pipe, { force: true })]);
    const { sampleRate, channels } = SOUND_FORMAT;
    const modules = [
      `module-pipe-sink sink_name=out file=${quoted(pipe)} format=s16le rate=${sampleRate} channels=${channels} use_system_clock_for_timing=yes`,
      'module-suspend-on-idle timeout=1',
      // Clients need no cookie, because only this session's user can enter the directory. This module is
      // last, so the sink exists before the socket.
      `module-native-protocol-unix socket=${quoted(socket)} auth-anonymous=1`,
    ];
    const listens = listening(directory, SOUND_SOCKET);
    const command = [
      ...[
        'pulseaudio',
        '-n',
        '--daemonize=no',
        '--use-pid-file=no',
        '--exit-idle-time=-1',
        '--disable-shm=yes',
      ],
      ...['--realtime=no', '--high-priority=no', '--log-target=stderr', '--log-level=error'],
      // Clients cannot load other modules. With some modules a client could write files and open ports.
      ...['--disallow-module-loading=yes', '--disallow-exit=yes'],
      ...modules.flatMap((module) => ['-L', module]),
    ];
    const environment = { PATH: '/usr/bin:/bin', HOME: home, XDG_RUNTIME_DIR: home };
    const server = ManagedProcess.start({
      name: 'PulseAudio',
      command: 'bwrap',
      args: helperArgs({ writable: { [home]: home } }, environment, command),
      env: { PATH: '/usr/bin:/bin' },
      cwd: home,
      extraStdio: ['pipe', 'pipe'],
    });
    giveFilter(server, HELPER_FILTER);
    try {
      await Promise.race([listens, server.endsEarly()]);
      return new SoundCard(server, readPipe(pipe), socket);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Resolves when the server has answered a client. Stays pending if the server hangs. */
  answers(): Promise<void> {
    return soundServerAnswers(this.socket);
  }

  async stop(): Promise<void> {
    this.samples.destroy();
    await this.process.stop();
  }
}

/** Returns the value of a module's argument in quotation marks, because a path can contain spaces. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Resolves when a server listens on the socket with this name in a directory. Rejects at the timeout. The
 * socket appears in the directory a moment before the server listens on it, and refuses connections until
 * then.
 */
export function listening(directory: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(directory);
    let isSettled = false;
    const settle = (outcome: () => void) => {
      isSettled = true;
      clearTimeout(timer);
      watcher.close();
      outcome();
    };
    const timer = setTimeout(
      () => settle(() => reject(new Error(`No server listens on the socket ${name}.`))),
      START_TIMEOUT_MS,
    );
    watcher.on('error', (error) => settle(() => reject(error)));
    const socket = join(directory, name);
    const tryConnection = () => {
      if (isSettled) return;
      const connection = connect(socket, () => {
        connection.destroy();
        if (!isSettled) settle(resolve);
      });
      connection.on('error', () => void setTimeout(tryConnection, RETRY_MS));
    };
    watcher.once('change', tryConnection);
  });
}

/**
 * Opens a pipe without waiting for its writer, and reads it without blocking a thread. Never follows a link.
 * Otherwise a compromised server could replace the pipe with a link to any file, and viewers would receive
 * the content of that file.
 */
export function readPipe(path: string): Readable {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const samples = new Socket({ fd, readable: true, writable: false });
  samples.on('error', () => samples.destroy());
  return samples;
}
