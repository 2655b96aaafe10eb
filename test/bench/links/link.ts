import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { firstLine, ManagedProcess } from '../../../server/src/platform/process/child-process.js';

/** Congestion controls of the kernel that are compared. */
export type CongestionControl = 'cubic' | 'bbr';

/** Properties of a link. Both directions have the same loss and rate. */
export interface LinkSpec {
  roundTripMs: number;
  /** Share of the packets that are lost, 0 to 1. */
  loss: number;
  /** Megabits a second. */
  megabits: number;
}

/** Address of the server's end of all links, see link.py. */
export const SERVER_ADDRESS = '10.77.0.1';

/** Packets that would wait longer than this at the link's narrow end are lost, as in a home router. */
const BUFFER_MS = 250;
const PROGRAM = fileURLToPath(new URL('link.py', import.meta.url));
const ANSWER_TIMEOUT_MS = 5_000;

/** Traffic of a link. */
export interface LinkTraffic {
  /** Bytes to the viewer so far, and in the last 400 ms. */
  bytes: number;
  recent: number;
  lost: number;
}

/**
 * A slow link between the network namespace of this process and another namespace, in which the viewer runs.
 * Needs root.
 */
export class Link {
  private constructor(
    private readonly process: ManagedProcess,
    private readonly control: Duplex,
    private readonly lines: Interface,
    private readonly number: number,
  ) {}

  /** @param number distinguishes links that exist at the same time, from 0 to 255 */
  static async start({ roundTripMs, loss, megabits }: LinkSpec, number = 0): Promise<Link> {
    const parts = [process.pid, roundTripMs, loss, megabits * 1e6, BUFFER_MS, number].map(String);
    const emulator = ManagedProcess.start({
      name: "the link's emulator",
      command: 'unshare',
      args: ['--net', '/usr/bin/python3', PROGRAM, ...parts],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      extraStdio: ['pipe'],
    });
    const control = emulator.pipe(3);
    await firstLine(control, emulator);
    return new Link(emulator, control, createInterface({ input: control }), number);
  }

  /** A process in the viewer's namespace. */
  get viewerSide(): number {
    return this.process.pid;
  }

  /**
   * Sets the congestion control of the server's new connections over the link. A route can do this in any
   * network namespace. The setting of a namespace accepts only some of them.
   */
  useCongestionControl(name: CongestionControl): void {
    const route = [`10.77.${this.number}.2/32`, 'dev', `server${this.number}`, 'congctl', 'lock', name];
    execFileSync('ip', ['route', 'replace', ...route]);
  }

  /** Reads the counters. */
  async traffic(): Promise<LinkTraffic> {
    const line = once(this.lines, 'line', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    this.control.write('\n');
    const [text] = (await line) as [string];
    return JSON.parse(text) as LinkTraffic;
  }

  async stop(): Promise<void> {
    this.lines.close();
    await this.process.stop();
  }
}
