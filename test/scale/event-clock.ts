import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, Timer } from '../../server/src/platform/time/clock.js';

interface Event {
  at: number;
  run: (() => void) | undefined;
}

/**
 * A clock that jumps from one timer to the next. So hundreds of thousands of timers take only the time of
 * their functions.
 */
export class EventClock implements Clock {
  #now = 0;
  /** A binary heap, the earliest first. */
  readonly #events: Event[] = [];

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2030, 0, 1) + this.#now);
  }

  setTimeout(run: () => void, milliseconds: number): Timer {
    const event: Event = { at: this.#now + Math.max(0, milliseconds), run };
    this.#push(event);
    return { cancel: () => (event.run = undefined) };
  }

  /** Resolves after some time. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.setTimeout(resolve, milliseconds));
  }

  /** Lets time pass, and all happen that falls due. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    await turn();
    for (let next = this.#events[0]; next && next.at <= until; next = this.#events[0]) {
      this.#now = next.at;
      let ran = false;
      while (this.#events[0] && this.#events[0].at <= this.#now) {
        const run = this.#pop()?.run;
        ran ||= run !== undefined;
        run?.();
      }
      if (ran) await turn();
    }
    this.#now = until;
  }

  #push(event: Event): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (events[parent]!.at <= event.at) break;
      events[index] = events[parent]!;
      index = parent;
    }
    events[index] = event;
  }

  #pop(): Event | undefined {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (!last || events.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= events.length) break;
      if (child + 1 < events.length && events[child + 1]!.at < events[child]!.at) child += 1;
      if (events[child]!.at >= last.at) break;
      events[index] = events[child]!;
      index = child;
    }
    events[index] = last;
    return first;
  }
}
