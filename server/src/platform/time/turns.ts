/**
 * Calls `run` two turns of the event loop later. Use it at the end of a deadline for another process. After
 * this process was busy, the loop runs timers before it handles data that has arrived meanwhile, and the
 * callbacks of the data may need one more turn. So the delay of this process does not count as a delay of the
 * other process.
 */
export function afterArrivals(run: () => void): void {
  setImmediate(() => setImmediate(run));
}
