import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { CloseWarningInfo } from '../core/index.js';

/** A limit that runs out while people watch; nobody sees the one for sessions that everybody has left. */
type Shown = Exclude<CloseWarningInfo['type'], 'offline'>;

/** An end that comes by itself. */
export interface ComingEnd {
  kind: Shown;
  /** Whole seconds, not below 0. */
  seconds: number;
}

/** Counts the seconds to the ends that were warned of, and has the element show them. */
export class CloseCountdown implements ReactiveController {
  /** When, in milliseconds of `performance.now()`. */
  readonly #ends = new Map<Shown, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** The end that comes first. */
  get current(): ComingEnd | undefined {
    const [first] = [...this.#ends].sort(([, one], [, other]) => one - other);
    if (!first) return undefined;
    const [kind, end] = first;
    return { kind, seconds: Math.max(0, Math.ceil((end - performance.now()) / 1000)) };
  }

  /** A warning, or without a deadline its end. */
  warn({ type, deadline }: CloseWarningInfo): void {
    if (type === 'offline') return;
    if (deadline) this.#ends.set(type, performance.now() + deadline.delay * 1000);
    else this.#ends.delete(type);
    this.#count();
  }

  /** What was warned of belonged to a connection that is over; the next one is told anew. */
  clear(): void {
    this.#ends.clear();
    this.#count();
  }

  hostDisconnected(): void {
    this.clear();
  }

  #count(): void {
    clearInterval(this.#timer);
    if (this.#ends.size > 0) this.#timer = setInterval(() => this.host.requestUpdate(), 1000);
    this.host.requestUpdate();
  }
}
