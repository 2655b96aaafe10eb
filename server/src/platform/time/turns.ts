/**
 * Calls `run` two turns of the event loop later, so that data that has already arrived is handled first. Use
 * it at the end of a deadline for another process. After this process was busy, the loop runs timers before
 * it handles the data that arrived meanwhile, and the callbacks of the data may need one more turn. Without
 * the two turns, the other process would seem late because this process was busy.
 */
export function afterArrivals(run: () => void): void {
  setImmediate(() => setImmediate(run));
}
