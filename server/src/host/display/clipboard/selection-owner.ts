import x11, { type X11Event } from 'x11';
import { CLIPBOARD_TYPES, type ClipboardData } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import { request, type XConnection } from '../x-client.js';
import { TARGETS_OF, type ClipboardAtoms } from './clipboard-atoms.js';

/** Size of a piece. Longer content is sent in pieces (INCR). An X11 request has at most 256 KiB. */
const PIECE_BYTES = 128 * 1024;
/** Maximum number of transfers in pieces at the same time. The only receiver is one browser. */
const MAX_HANDOVERS = 8;
/** Timeout for a program to take its next piece. Milliseconds. */
const PIECE_TIMEOUT_MS = 5_000;
/** Timeout for an answer of the display. A display that has ended sends no answer. Milliseconds. */
const ANSWER_TIMEOUT_MS = 8_000;
/** State of a PropertyNotify event; X11 protocol. */
const DELETED = 1;

/** A transfer in pieces. */
interface Handover {
  window: number;
  property: number;
  type: number;
  rest: Buffer;
  timer: Timer | undefined;
}

/** Owns the display's clipboard on request, and sends its content in each format that a program requests. */
export class SelectionOwner {
  readonly #window: number;
  readonly #handovers = new Set<Handover>();
  #data: ClipboardData | undefined;
  /**
   * True from the moment when the host releases the clipboard until the display confirms this. The
   * confirmation must not remove data that the host has put on the clipboard meanwhile.
   */
  #releasing = false;
  /** Number of times that another program has taken the clipboard from the host. */
  #losses = 0;
  /** Number of the newest call that sets or removes the content. */
  #change = 0;
  /**
   * Called when a program has received content, or when a transfer has failed. Not called for the list of
   * formats.
   */
  onTaken: () => void = () => undefined;

  constructor(
    private readonly connection: XConnection,
    private readonly atoms: ClipboardAtoms,
    private readonly clock: Clock = systemClock,
  ) {
    const { x, root } = connection;
    this.#window = x.AllocID();
    x.CreateWindow(this.#window, root, 0, 0, 1, 1);
    x.on('event', this.#onEvent);
  }

  /** The content that the host put on the clipboard. Undefined if the host does not own the clipboard. */
  get data(): ClipboardData | undefined {
    return this.#data;
  }

  /** True if this is the window that owns the clipboard for the host. */
  is(window: number): boolean {
    return window === this.#window;
  }

  /**
   * Puts data on the clipboard. Resolves when each new paste gets this data. Rejects if the display does not
   * answer.
   */
  async own(data: ClipboardData): Promise<void> {
    const { x } = this.connection;
    const change = ++this.#change;
    this.#data = data;
    x.SetSelectionOwner(this.#window, this.atoms.CLIPBOARD, 0);
    try {
      const isOwner = await this.#isOwner();
      // A loss from before this call may have been reported only now, and then has removed the data.
      if (isOwner && this.#change === change) this.#data = data;
    } catch (error) {
      // The caller learns that the data is not on the clipboard, so no program may get it later.
      if (this.#data === data) this.#data = undefined;
      throw error;
    }
  }

  /** Empties the clipboard if the host owns it. Rejects if the display does not answer. */
  async disown(): Promise<void> {
    if (!this.#data) return;
    const change = ++this.#change;
    this.#data = undefined;
    const { x } = this.connection;
    // Releases the clipboard only if the host still owns it, because another program may just have become the
    // owner. Keeps it if the host has put new data on it during the request.
    const isOwner = await this.#isOwner();
    if (!isOwner || this.#change !== change) return;
    this.#releasing = true;
    x.SetSelectionOwner(0, this.atoms.CLIPBOARD, 0);
  }

  /**
   * Empties the clipboard, also of another program's content. Resolves when no program can get the content
   * any more. Rejects if the display does not answer.
   */
  async release(): Promise<void> {
    this.#change++;
    // The display sends a confirmation only if the host owned the clipboard.
    if (this.#data) this.#releasing = true;
    this.#data = undefined;
    this.connection.x.SetSelectionOwner(0, this.atoms.CLIPBOARD, 0);
    await this.#isOwner();
  }

  close(): void {
    this.connection.x.off('event', this.#onEvent);
    this.#change++;
    for (const handover of this.#handovers) this.#end(handover);
    this.#data = undefined;
  }

  /**
   * Returns true if the host owns the clipboard after the display has handled all earlier requests. A loss
   * that follows the display's answer at once is handled before the caller continues. So this method also
   * compares the number of losses.
   */
  async #isOwner(): Promise<boolean> {
    const { x } = this.connection;
    let losses = 0;
    const asked = request<number>((reply) =>
      x.GetSelectionOwner(this.atoms.CLIPBOARD, (error, owner) => {
        losses = this.#losses;
        reply(error, owner);
      }),
    );
    const late = () => Promise.reject(new Error('The display does not answer about its clipboard.'));
    const owner = await withTimeout(asked, ANSWER_TIMEOUT_MS, late, this.clock);
    return owner === this.#window && this.#losses === losses;
  }

  readonly #onEvent = (event: X11Event): void => {
    if (event.name === 'SelectionClear' && event['owner'] === this.#window) this.#onCleared();
    if (event.name === 'SelectionRequest' && event['owner'] === this.#window) this.#answer(event);
    if (event.name === 'PropertyNotify' && event['state'] === DELETED) {
      for (const handover of this.#handovers)
        if (handover.window === event['wid'] && handover.property === event['atom']) this.#next(handover);
    }
  };

  /**
   * Handles the event `SelectionClear`. The display sends one when another program takes the clipboard, and
   * one when the host releases it.
   */
  #onCleared(): void {
    if (!this.#releasing) {
      this.#data = undefined;
      this.#losses++;
    }
    this.#releasing = false;
  }

  #answer(event: X11Event): void {
    const { requestor, target, time, selection } = event as X11Event & Record<string, number>;
    // Very old clients name no property. Then the property has the name of the target.
    const property = Number(event['property']) || Number(target);
    const done = this.#hand(Number(requestor), property, Number(target));
    const { x } = this.connection;
    x.SendEvent(Number(requestor), 0, 0, {
      name: 'SelectionNotify',
      seq: 0,
      ...{ time, requestor, selection, target, property: done ? property : 0 },
    });
  }

  #hand(window: number, property: number, target: number): boolean {
    const { atoms } = this;
    const data = this.#data;
    if (!data) return false;
    const { x } = this.connection;
    if (target === atoms.TARGETS) {
      const offered = CLIPBOARD_TYPES.filter((type) => data.has(type)).flatMap((type) => TARGETS_OF[type]);
      const targets = [atoms.TARGETS, atoms.TIMESTAMP, ...offered.map((name) => atoms[name])];
      x.ChangeProperty(0, window, property, atoms.ATOM, 32, targets);
      return true;
    }
    if (target === atoms.TIMESTAMP) {
      x.ChangeProperty(0, window, property, atoms.INTEGER, 32, [0]);
      return true;
    }
    const type = CLIPBOARD_TYPES.find((name) => TARGETS_OF[name].some((named) => atoms[named] === target));
    const bytes = type && data.get(type);
    if (!bytes) return false;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const named = target === atoms.TEXT ? atoms.UTF8_STRING : target;
    if (buffer.length <= PIECE_BYTES) {
      x.ChangeProperty(0, window, property, named, 8, buffer);
      this.onTaken();
      return true;
    }
    return this.#begin({ window, property, type: named, rest: buffer, timer: undefined });
  }

  #begin(handover: Handover): boolean {
    if (this.#handovers.size >= MAX_HANDOVERS) return false;
    const { x } = this.connection;
    this.#handovers.add(handover);
    // The program deletes the property after it has read each piece.
    x.ChangeWindowAttributes(handover.window, { eventMask: x11.eventMask.PropertyChange });
    x.ChangeProperty(0, handover.window, handover.property, this.atoms.INCR, 32, [handover.rest.length]);
    this.#wait(handover);
    return true;
  }

  #next(handover: Handover): void {
    const piece = handover.rest.subarray(0, PIECE_BYTES);
    handover.rest = handover.rest.subarray(PIECE_BYTES);
    this.connection.x.ChangeProperty(0, handover.window, handover.property, handover.type, 8, piece);
    // An empty piece marks the end.
    if (piece.length > 0) return this.#wait(handover);
    this.#end(handover);
    this.onTaken();
  }

  #wait(handover: Handover): void {
    handover.timer?.cancel();
    handover.timer = this.clock.setTimeout(() => {
      this.#end(handover);
      this.onTaken();
    }, PIECE_TIMEOUT_MS);
  }

  #end(handover: Handover): void {
    handover.timer?.cancel();
    this.#handovers.delete(handover);
    // Keeps the event mask while another transfer to the same window needs events.
    if ([...this.#handovers].some(({ window }) => window === handover.window)) return;
    this.connection.x.ChangeWindowAttributes(handover.window, { eventMask: 0 });
  }
}
