import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { pause } from '../../walk/deadline.js';
import type { RealService } from './real-service.js';

/** Descriptors that are left for those who come. */
const FEW = 8;
/** More connections than descriptors, by far. */
const CONNECTIONS = 40;
const SETTLE_MS = 500;

/** A service whose descriptors are used up. */
export interface Exhaustion {
  /** Gives them back. */
  end(): void;
}

/** Takes away all descriptors that a service could still open: it gets a limit, and idle connections up to that. */
export async function exhaustDescriptors({ pid, url }: RealService): Promise<Exhaustion> {
  const { port, hostname } = new URL(url);
  const used = readdirSync(`/proc/${pid}/fd`).map(Number);
  const before = limitOf(pid);
  setLimit(pid, Math.max(...used) + 1 + FEW);
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    const socket = connect({ port: Number(port), host: hostname });
    socket.on('error', () => undefined);
    sockets.push(socket);
    // Refused or closed at once counts too.
    await Promise.race([once(socket, 'connect'), once(socket, 'close'), pause(SETTLE_MS)]);
  }
  return {
    end() {
      setLimit(pid, before);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function limitOf(pid: number): number {
  const text = execFileSync('prlimit', [`--pid=${pid}`, '--nofile', '--output=SOFT', '--noheadings']);
  return Number(text.toString());
}

/** The soft limit alone, so that it can be raised again. */
function setLimit(pid: number, soft: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${soft}:`]);
}
