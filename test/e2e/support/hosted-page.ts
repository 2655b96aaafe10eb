import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { until } from './until.js';

/** State of a page that a hosted browser shows. The page reports it to the page server. */
export class HostedPage {
  /** The newest value of each item that the page reported. */
  readonly state: Record<string, unknown> = {};
  /** All events of the page in order, each in a word or two. */
  readonly events: string[] = [];
  /** The headers of each of the browser's requests for the page, in order. */
  readonly requests: IncomingHttpHeaders[] = [];
  /** Number of loads of the page. */
  loads = 0;
  #orders: ServerResponse | undefined;
  #lastOrder = 0;
  readonly #onReplaced: (() => void)[] = [];
  readonly #answers = new Map<number, (answer: Answer) => void>();

  constructor(readonly url: string) {}

  /** The headers of the browser's newest request for the page. */
  get headers(): IncomingHttpHeaders {
    return this.requests.at(-1) ?? {};
  }

  /** Resolves when a browser has loaded the page, for the first time or once more. */
  async loaded(times = 1): Promise<void> {
    await until(`${this.url} is loaded ${times} times`, () => this.loads >= times && this.#orders);
  }

  /** Resolves when the page is loaded and fills a screen of this size, as it does in a kiosk. */
  async fills({ width, height }: { width: number; height: number }): Promise<void> {
    await this.loaded();
    await this.until(
      `the page is ${width}x${height}`,
      (state) => state['width'] === width && state['height'] === height,
    );
  }

  /** Resolves when a reported value meets the condition. */
  async until(what: string, holds: (state: Record<string, unknown>) => unknown): Promise<void> {
    await until(what, () => holds(this.state)).catch(() => {
      throw new Error(`It did not happen that ${what}; the page reports ${inBrief(this.state)}.`);
    });
  }

  /** Resolves when this event has happened this many times. */
  async event(name: string, times = 1): Promise<void> {
    await until(`${name} happens ${times} times`, () => this.count(name) >= times, 20_000).catch(() => {
      throw new Error(`${name} did not happen ${times} times, but: ${this.events.join(', ') || 'nothing'}.`);
    });
  }

  count(name: string): number {
    return this.events.filter((event) => event === name).length;
  }

  /** Runs an expression in the page and returns its value. */
  async run(expression: string): Promise<unknown> {
    await until('the page takes orders', () => this.#orders);
    const order = ++this.#lastOrder;
    const answer = new Promise<Answer>((resolve) => this.#answers.set(order, resolve));
    this.#orders?.write(`data: ${JSON.stringify({ order, expression })}\n\n`);
    const { value, error } = await answer;
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** Resolves when another document takes orders, as after a reload. The one before answers no more. */
  replaced(): Promise<void> {
    return new Promise((resolve) => this.#onReplaced.push(resolve));
  }

  /** @internal */
  listening(orders: ServerResponse): void {
    this.#orders = orders;
    for (const resolve of this.#onReplaced.splice(0)) resolve();
    orders.on('close', () => {
      if (this.#orders === orders) this.#orders = undefined;
    });
  }

  /** @internal */
  reported(report: Record<string, unknown>): void {
    const { event, loaded, order, ...rest } = report;
    if (loaded === true) this.loads += 1;
    if (typeof event === 'string') this.events.push(event);
    if (typeof order === 'number') {
      this.#answers.get(order)?.(rest);
      this.#answers.delete(order);
    } else {
      Object.assign(this.state, rest);
    }
  }
}

/** Shortens each value, so that a failure message fits into one line. */
function inBrief(state: Record<string, unknown>): string {
  const values = Object.entries(state).map(([name, value]) => {
    const text = JSON.stringify(value);
    return `${name}: ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
  });
  return values.reverse().join(', ');
}

interface Answer {
  value?: unknown;
  error?: string;
}
