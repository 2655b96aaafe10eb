import type { Socket } from 'node:net';
import { atEnd } from './cleanup.js';
import { Relay } from './relay.js';

/** Milliseconds for which the line delays each piece of data. */
const DELAY_MS = 15;
/** One in so many pieces from the service is lost, and arrives when it has been repeated. */
const LOST_ONE_IN = 25;
/** Milliseconds until a lost piece has been repeated. Everything after it on its connection waits. */
const REPEATED_MS = 150;

/** Starts a relay in front of a service that delays data, and holds back some of it as lost packets do. */
export function startLossyLine(target: string): Promise<Relay> {
  return Relay.start(target, atEnd, (client, upstream) => {
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    pass(client, upstream, Infinity);
    pass(upstream, client, LOST_ONE_IN);
  });
}

/** Passes data on late and in order. */
function pass(from: Socket, to: Socket, lostOneIn: number): void {
  let pieces = 0;
  let free = 0;
  from.on('data', (data) => {
    const isLost = ++pieces % lostOneIn === 0;
    const now = performance.now();
    free = Math.max(free, now + DELAY_MS + (isLost ? REPEATED_MS : 0));
    setTimeout(() => to.write(data), free - now);
  });
}
