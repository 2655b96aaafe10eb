import x11, { type X11Event } from 'x11';
import { withTimeout } from '../../../platform/time/timeout.js';
import { request, type XConnection } from '../x-client.js';
import type { ClipboardAtoms } from './clipboard-atoms.js';

/** `AnyPropertyType` and a state of PropertyNotify; X11 protocol. */
const ANY_TYPE = 0;
const NEW_VALUE = 0;

/**
 * Timeouts in milliseconds: for each answer of a program, and for the complete transfer. The second one also
 * applies to each answer of the display.
 */
export const HANDOVER_TIMEOUTS = { answer: 2_000, whole: 8_000 };

/** Error: the program that owns the clipboard does not send its content. */
export class NoHandover extends Error {
  constructor() {
    super('The program that owns the clipboard does not send its content.');
    this.name = 'NoHandover';
  }
}

/** Error: the content exceeds the limit. */
export class TooLarge extends Error {
  constructor() {
    super('The copied content exceeds the size limit.');
    this.name = 'TooLarge';
  }
}

/**
 * Requests one format of the clipboard's content from the program that owns the clipboard. The answer arrives
 * in a property of a window. A long answer arrives in pieces (INCR). Each request has its own window, which
 * is destroyed when the request ends. So late answers to an earlier request are ignored, and a program
 * notices that a transfer was cancelled.
 */
export class SelectionReader {
  constructor(
    private readonly connection: XConnection,
    private readonly atoms: ClipboardAtoms,
    private readonly timeouts = HANDOVER_TIMEOUTS,
  ) {}

  /**
   * Reads a format. Resolves to undefined if the clipboard does not have this format. Rejects with
   * {@link NoHandover} or {@link TooLarge}.
   *
   * @param limit bytes
   */
  async read(target: number, limit: number): Promise<Buffer | undefined> {
    const { x, root } = this.connection;
    const window = x.AllocID();
    const events = new Events(this.connection, window, this.timeouts);
    x.CreateWindow(window, root, 0, 0, 1, 1);
    x.ChangeWindowAttributes(window, { eventMask: x11.eventMask.PropertyChange });
    try {
      const property = this.atoms.CLOUD_BROWSER_CLIPBOARD;
      x.ConvertSelection(window, this.atoms.CLIPBOARD, target, property, 0);
      const answer = await events.next(
        ({ name, requestor }) => name === 'SelectionNotify' && requestor === window,
      );
      if (answer['property'] === 0) return undefined;
      return await this.#take(window, property, limit, events);
    } finally {
      events.close();
      x.DestroyWindow(window);
    }
  }

  async #take(window: number, property: number, limit: number, events: Events): Promise<Buffer> {
    const first = await this.#property(window, property, limit);
    if (first.type !== this.atoms.INCR) return first.data;
    const pieces: Buffer[] = [];
    for (let size = 0; ;) {
      await events.next(
        ({ name, atom, state }) => name === 'PropertyNotify' && atom === property && state === NEW_VALUE,
      );
      const { data } = await this.#property(window, property, limit - size);
      if (data.length === 0) return Buffer.concat(pieces);
      pieces.push(data);
      size += data.length;
    }
  }

  async #property(window: number, property: number, limit: number): Promise<{ type: number; data: Buffer }> {
    // Requests at least four bytes more than the limit. If more bytes than the limit arrive, the content is
    // too large.
    const units = Math.ceil(limit / 4) + 1;
    const { x } = this.connection;
    const asked = request<{ type: number; bytesAfter: number; data: Buffer }>((reply) =>
      x.GetProperty(1, window, property, ANY_TYPE, 0, units, reply),
    );
    // A display that has ended sends no answer.
    const late = () => Promise.reject(new NoHandover());
    const answer = await withTimeout(asked, this.timeouts.whole, late);
    if (answer.bytesAfter > 0 || answer.data.length > limit) throw new TooLarge();
    // Copies the bytes, because the library's buffer is a view of all data that it has read from its socket.
    return { type: answer.type, data: Buffer.from(answer.data) };
  }
}

/** Collects the events of one window in their order. */
class Events {
  readonly #seen: X11Event[] = [];
  readonly #deadline: number;
  #wake: () => void = () => undefined;

  constructor(
    private readonly connection: XConnection,
    private readonly window: number,
    private readonly timeouts: typeof HANDOVER_TIMEOUTS,
  ) {
    this.#deadline = performance.now() + timeouts.whole;
    connection.x.on('event', this.#note);
  }

  /** Resolves to the next event that meets a condition. Earlier events are discarded. */
  async next(wanted: (event: X11Event) => boolean): Promise<X11Event> {
    const until = Math.min(this.#deadline, performance.now() + this.timeouts.answer);
    for (;;) {
      for (let event = this.#seen.shift(); event; event = this.#seen.shift()) if (wanted(event)) return event;
      const left = until - performance.now();
      if (left <= 0) throw new NoHandover();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.connection.x.off('event', this.#note);
  }

  readonly #note = (event: X11Event): void => {
    if (event['requestor'] !== this.window && event['wid'] !== this.window) return;
    this.#seen.push(event);
    this.#wake();
  };
}
