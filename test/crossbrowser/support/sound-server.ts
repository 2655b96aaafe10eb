import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { until } from '../../e2e/support/until.js';

/**
 * A PulseAudio server whose only output discards the sound. Browsers play a page's sound only if an output
 * exists.
 */
export class SoundServer {
  private constructor(
    private readonly server: ManagedProcess,
    /** The value of PULSE_SERVER in the environment of a browser that plays to this server. */
    readonly address: string,
  ) {}

  static async start(directory: string): Promise<SoundServer> {
    // The name `pulse` is taken: the server has its own directory of that name there.
    const socket = join(directory, 'pulse.socket');
    const modules = ['module-null-sink', `module-native-protocol-unix socket=${socket} auth-anonymous=1`];
    const server = ManagedProcess.start({
      name: 'PulseAudio',
      command: 'pulseaudio',
      args: [
        ...['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', '--disable-shm=yes'],
        ...['--realtime=no', '--high-priority=no', '--log-target=stderr', '--log-level=error'],
        ...modules.flatMap((module) => ['-L', module]),
      ],
      env: { PATH: '/usr/bin:/bin', HOME: directory, XDG_RUNTIME_DIR: directory },
    });
    await until('PulseAudio listens', () => {
      if (!server.running) throw new Error(`PulseAudio ended at once.\n${server.logTail}`);
      return existsSync(socket);
    });
    return new SoundServer(server, `unix:${socket}`);
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
