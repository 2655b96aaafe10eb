import type { Clock } from '../sessions/ports.js';

/** The machine's own clocks. Timers are unreferenced: a pending one never keeps the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  setTimeout(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
