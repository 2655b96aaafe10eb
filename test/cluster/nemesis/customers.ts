import { setTimeout as pause } from 'node:timers/promises';
import type { HistoryLog } from './history-log.js';

const TAGS = ['t1', 't2', 't3', 't4'];
const CUSTOMERS = 3;
const PAUSE_MS = 120;
/** Share of their sessions that customers end. */
const ENDED = 0.2;

/** Customers that create sessions over a few tags, and end some, until they are stopped. */
export class Customers {
  #going = true;
  readonly #all: Promise<unknown>;

  /** `urls`: the addresses that they may currently use. */
  constructor(
    private readonly history: HistoryLog,
    private readonly urls: () => readonly string[],
  ) {
    this.#all = Promise.all(Array.from({ length: CUSTOMERS }, () => this.#customer()));
  }

  /** Resolves when all pending requests are answered. */
  async stop(): Promise<void> {
    this.#going = false;
    await this.#all;
  }

  async #customer(): Promise<void> {
    while (this.#going) {
      const tag = anyOf(TAGS);
      const { session } = await this.history.create(anyOf(this.urls()), { tag });
      if (session && Math.random() < ENDED) await this.history.end(anyOf(this.urls()), session.session_id);
      await pause(PAUSE_MS);
    }
  }
}

function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is none.');
  return item;
}
