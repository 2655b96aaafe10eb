import {
  decodeClipboardChunk,
  isClipboardChunk,
  type ClipboardData,
  type ClipboardMessage,
} from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../../platform/clock.js';
import { NoHandover, TooLarge, type Copied, type SharedClipboard } from '../../input/shared-clipboard.js';
import { forRole, viewerOf, type Caller } from '../calls/access.js';
import { CallError } from '../calls/call-error.js';
import type { Calls } from '../calls/calls.js';
import type { Roster } from '../users/roster.js';
import { hasRole } from '../users/rights.js';
import type { Viewer } from '../viewer.js';
import { TransferMemory } from './transfer-memory.js';
import { tooLarge, ViewerTransfers } from './viewer-transfers.js';

/** The longest text that is answered in one message, in UTF-8 bytes; longer ones are transferred. */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * What users copy out of the browser and bring into it. Who may have what was copied has the role `clipboard_copy`; to bring
 * something is input, and takes control of the browser as any other.
 */
export class ClipboardDesk {
  readonly #transfers = new Map<Viewer, ViewerTransfers>();
  readonly #memory = new TransferMemory();
  #clipboard: SharedClipboard;

  constructor(
    calls: Calls,
    private readonly roster: Roster,
    clipboard: SharedClipboard,
    private readonly clock: Clock = systemClock,
  ) {
    this.#clipboard = clipboard;
    this.use(clipboard);
    const copying = forRole('clipboard_copy');
    calls.add('clipboard.read', copying, () => this.#text());
    calls.add('clipboard.fetch', copying, async (_, caller) => {
      const viewer = viewerOf(caller);
      const data = await this.#read();
      // The role may be gone by now.
      copying(caller);
      return data.size === 0 || viewer.gone ? 0 : this.#of(viewer).send(data);
    });
    calls.add(
      'clipboard.write',
      () => undefined,
      ([transfer, own], caller) => this.#write(transfer, own === true, caller),
    );
    calls.addEvent('clipboard.onCopied', (caller) => void viewerOf(caller));
    this.#tell = ({ types, by }) => {
      const actor = [...roster.viewers()].find(({ input }) => input === by);
      if (!actor) return;
      const allowed = this.#mayHave(actor);
      calls.publish(
        'clipboard.onCopied',
        [{ types: allowed ? types : [], allowed }],
        (viewer) => viewer === actor && !viewer.shutOut,
      );
    };
  }

  /** Uses the clipboard of a browser that was started again. */
  use(clipboard: SharedClipboard): void {
    this.#clipboard = clipboard;
    clipboard.onCopied = (copied) => this.#tell(copied);
  }

  /** Whether a binary message of a viewer belongs to a transfer that was let in. */
  expects(viewer: Viewer, bytes: Uint8Array): boolean {
    if (!isClipboardChunk(bytes) || bytes.byteLength < 8) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return this.#transfers.get(viewer)?.expects(view.getUint32(4)) ?? false;
  }

  /** Takes a binary message that is a chunk. Throws `ProtocolError`. */
  push(viewer: Viewer, bytes: Uint8Array): void {
    const chunk = decodeClipboardChunk(bytes);
    this.#transfers.get(viewer)?.push(chunk);
  }

  /** Takes a message about a transfer. Throws `ProtocolError`. */
  take(viewer: Viewer, message: ClipboardMessage): void {
    this.#of(viewer).take(message);
  }

  /** What a viewer has brought whole in a transfer. */
  brought(viewer: Viewer, transfer: number): ClipboardData | undefined {
    return this.#transfers.get(viewer)?.received(transfer);
  }

  /** A viewer has left. */
  forget(viewer: Viewer): void {
    this.#transfers.get(viewer)?.close();
    this.#transfers.delete(viewer);
  }

  #tell: (copied: Copied) => void;

  #of(viewer: Viewer): ViewerTransfers {
    const made =
      this.#transfers.get(viewer) ??
      new ViewerTransfers(
        viewer,
        { mayBring: () => this.#mayBring(viewer), mayHave: () => this.#mayHave(viewer) },
        this.#memory,
        this.clock,
      );
    this.#transfers.set(viewer, made);
    return made;
  }

  #mayHave(viewer: Viewer): boolean {
    return viewer.admin || hasRole(viewer.rights, 'clipboard_copy');
  }

  #mayBring(viewer: Viewer): boolean {
    return this.roster.acts(viewer);
  }

  async #write(transfer: number, own: boolean, caller: Caller): Promise<void> {
    const viewer = viewerOf(caller);
    if (!this.#mayBring(viewer)) {
      const message = 'Only who controls the browser may write its clipboard. Ask for control first.';
      throw new CallError('err_forbidden', message);
    }
    const data = this.brought(viewer, transfer);
    if (!data) {
      const message = 'There is no such transfer, or not all of it has come. Send it once more.';
      throw new CallError('err_clipboard_no_transfer', message);
    }
    await (own ? this.#clipboard.bring(viewer.input, data) : this.#clipboard.write(data));
  }

  async #text(): Promise<string> {
    const bytes = (await this.#read(['text/plain'])).get('text/plain') ?? new Uint8Array();
    if (bytes.byteLength > MAX_ANSWER_BYTES) {
      const message = `The text has more than ${MAX_ANSWER_BYTES} bytes. Use clipboard.fetch, which sends it in chunks.`;
      throw new CallError('err_clipboard_too_large', message);
    }
    return Buffer.from(bytes).toString('utf8');
  }

  async #read(types?: readonly 'text/plain'[]): Promise<ClipboardData> {
    try {
      return await this.#clipboard.read(types);
    } catch (error) {
      if (error instanceof TooLarge) throw tooLarge();
      if (!(error instanceof NoHandover)) throw error;
      throw new CallError(
        'err_clipboard_no_answer',
        'The browser did not hand over its clipboard in time. Try again.',
      );
    }
  }
}
