import { constants, existsSync, openSync, watch } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SOUND_FORMAT } from 'cloud-browser/protocol';
import { ManagedProcess } from '../../platform/child-process.js';
import { HELPER_FILTER, helperArgs } from '../sandbox/helper-room.js';
import { giveFilter } from '../sandbox/system-calls.js';
import { soundServerAnswers } from './sound-answer.js';

/** The socket's name in its directory, which is all that the browser may see of the sound card. */
export const SOUND_SOCKET = 'native';

/** The directory of the socket that programs play to. */
export const soundDirectory = (sessionDirectory: string) => join(sessionDirectory, 'sound', 'server');

/** A server without its socket by then is given up. It takes 50 ms on a quiet machine. */
const START_TIMEOUT_MS = 5_000;

/**
 * A PulseAudio server with one output, for one session: what is played comes out of a pipe, in real time, and nothing comes
 * while nothing is played. A null sink with a recorder would be another process, awake all the time.
 */
export class SoundCard {
  private constructor(
    readonly process: ManagedProcess,
    /** Samples, both channels in turn, 16 bits each, little-endian. */
    readonly samples: Readable,
    private readonly socket: string,
  ) {}

  /** Starts the server; resolves when programs can connect. */
  static async start(sessionDirectory: string): Promise<SoundCard> {
    const home = join(sessionDirectory, 'sound');
    const directory = soundDirectory(sessionDirectory);
    const [socket, pipe] = [join(directory, SOUND_SOCKET), join(home, 'samples')];
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // A server that was killed leaves its socket and its pipe behind.
    await Promise.all([rm(socket, { force: true }), rm(pipe, { force: true })]);
    const { sampleRate, channels } = SOUND_FORMAT;
    const modules = [
      `module-pipe-sink sink_name=out file=${pipe} format=s16le rate=${sampleRate} channels=${channels} use_system_clock_for_timing=yes`,
      'module-suspend-on-idle timeout=1',
      // Only this session's user can enter the directory. It stands last, so once the socket exists the sink exists too.
      `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ];
    const appears = entryOf(directory, SOUND_SOCKET);
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
      // The modules are all there ever are: a client could have files written and ports opened by others.
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
      await Promise.race([appears, server.endsEarly()]);
      return new SoundCard(server, readPipe(pipe), socket);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Resolves when the server has answered a client, which one that hangs never does. */
  answers(): Promise<void> {
    return soundServerAnswers(this.socket);
  }

  async stop(): Promise<void> {
    this.samples.destroy();
    await this.process.stop();
  }
}

/** Watches a directory from now on; resolves when it has an entry of this name, rejects when it gets none in time. */
function entryOf(directory: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(directory);
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      watcher.close();
      outcome();
    };
    const timer = setTimeout(() => settle(() => reject(new Error(`There is no ${name}.`))), START_TIMEOUT_MS);
    watcher.on('error', (error) => settle(() => reject(error)));
    watcher.on('change', () => {
      if (existsSync(join(directory, name))) settle(resolve);
    });
  });
}

/**
 * Opens a pipe without waiting for its writer, and reads it without blocking a thread. Never through a link: a server that somebody
 * took over could have any file played to viewers.
 */
export function readPipe(path: string): Readable {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const samples = new Socket({ fd, readable: true, writable: false });
  samples.on('error', () => samples.destroy());
  return samples;
}
