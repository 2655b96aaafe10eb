import {
  decodeClipboardChunk,
  isClipboardChunk,
  type ClipboardData,
  type ClipboardMessage,
} from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import type { DroppedData } from '../../browser/files/drop-files.js';
import { NoHandover, TooLarge, type Copied, type SharedClipboard } from '../../input/shared-clipboard.js';
import { forAll, forRole, viewerOf, type Caller } from '../../room/calls/access.js';
import { noArguments, numberOrNaN, wrong } from '../../room/calls/arguments.js';
import { WORK } from '../../room/calls/call-lane.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';
import type { Roster } from '../../room/users/roster.js';
import { canSee, canUse } from '../../room/users/can-use.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import { TransferMemory } from './transfer-memory.js';
import { tooLarge, ViewerTransfers } from './viewer-transfers.js';

/**
 * Maximum size of a text that `clipboard.read` returns, in UTF-8 bytes. For a longer text, the caller must
 * use `clipboard.fetch`, which sends chunks.
 */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Returns the arguments of `clipboard.write`. An invalid number of a transfer becomes NaN, which matches no
 * transfer.
 */
const writeOf = ([transfer, own]: readonly unknown[]): [number, boolean] => [
  numberOrNaN(transfer),
  own === true,
];

/** Maximum coordinate, in pixels of the screen. */
const MAX_PLACE = 65_535;

/** Checks the untrusted arguments of `clipboard.drop`. Throws {@link CallError}. */
function dropOf([transfer, x, y, link]: readonly unknown[]): [number, number, number, boolean] {
  const [left, top] = [numberOrNaN(x), numberOrNaN(y)];
  for (const [name, value] of Object.entries({ x: left, y: top }))
    if (!(value >= 0 && value <= MAX_PLACE)) throw wrong(name, `a number from 0 to ${MAX_PLACE}`);
  return [numberOrNaN(transfer), left, top, link === true];
}

/** Functions of the browser that a drop needs. */
export interface DropBrowser {
  /** Drops texts at a position on the screen. Resolves to false if no page accepted them. */
  drop(at: { x: number; y: number }, items: DroppedData['items']): Promise<boolean>;
  /** True if the session shows only the page, which its users cannot leave. */
  readonly kiosk: boolean;
}

/**
 * The clipboard between users and the browser. Only users with the role `clipboard_copy` receive copied
 * content. Pasting counts as input. Like other input, it takes control of the browser.
 */
export class ClipboardService {
  readonly #transfers = new Map<Viewer, ViewerTransfers>();
  readonly #memory = new TransferMemory();
  #clipboard: SharedClipboard;

  constructor(
    private readonly calls: Calls,
    private readonly roster: Roster,
    clipboard: SharedClipboard,
    private readonly browser: DropBrowser,
    private readonly clock: Clock = systemClock,
  ) {
    this.#clipboard = clipboard;
    this.use(clipboard);
    const copying = forRole('clipboard_copy');
    calls.add('clipboard.read', { access: copying, check: noArguments, cost: WORK }, async (_, caller) => {
      const text = await this.#text(caller);
      // The user may have lost the role meanwhile, or another user's privacy mode may have begun.
      copying(caller);
      return text;
    });
    calls.add('clipboard.fetch', { access: copying, check: noArguments, cost: WORK }, async (_, caller) => {
      const viewer = viewerOf(caller);
      const data = await this.#read(caller);
      copying(caller);
      return data.size === 0 || viewer.gone ? 0 : this.#of(viewer).send(data);
    });
    calls.add('clipboard.write', { access: forAll, check: writeOf, cost: WORK }, ([transfer, own], caller) =>
      this.#write(transfer, own === true, caller),
    );
    calls.add(
      'clipboard.drop',
      { access: forAll, check: dropOf, cost: WORK },
      ([transfer, x, y, link], caller) =>
        this.#drop(this.#received(transfer, caller), { x, y }, link === true, viewerOf(caller)),
    );
    calls.addEvent('clipboard.onCopied', (caller) => void viewerOf(caller));
  }

  /** Uses the clipboard of a restarted browser. */
  use(clipboard: SharedClipboard): void {
    this.#clipboard = clipboard;
    clipboard.onCopied = (copied) => this.#notify(copied);
  }

  /** True if a binary message of a viewer belongs to an accepted transfer. */
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

  /** Returns the content of a viewer's transfer. Returns undefined if the transfer is not complete. */
  brought(viewer: Viewer, transfer: number): ClipboardData | undefined {
    return this.#transfers.get(viewer)?.received(transfer);
  }

  /** Forgets a viewer that has left. */
  forget(viewer: Viewer): void {
    this.#transfers.get(viewer)?.close();
    this.#transfers.delete(viewer);
  }

  /** Notifies the user who copied. */
  #notify({ types, by }: Copied): void {
    const actor = [...this.roster.viewers()].find(({ input }) => input === by);
    if (!actor) return;
    const allowed = this.#canDownload(actor);
    this.calls.publish(
      'clipboard.onCopied',
      [{ types: allowed ? types : [], allowed }],
      (viewer) => viewer === actor && canSee(viewer),
    );
  }

  #of(viewer: Viewer): ViewerTransfers {
    const made =
      this.#transfers.get(viewer) ??
      new ViewerTransfers(
        viewer,
        { canUpload: () => this.#canUpload(viewer), canDownload: () => this.#canDownload(viewer) },
        this.#memory,
        this.clock,
      );
    this.#transfers.set(viewer, made);
    return made;
  }

  #canDownload(viewer: Viewer): boolean {
    return canUse(viewer, 'clipboard_copy');
  }

  #canUpload(viewer: Viewer): boolean {
    return this.roster.acts(viewer);
  }

  async #write(transfer: number, own: boolean, caller: Caller): Promise<void> {
    const data = this.#received(transfer, caller);
    await (own ? this.#clipboard.offer(viewerOf(caller).input, data) : this.#clipboard.write(data));
  }

  async #drop(
    data: ClipboardData,
    at: { x: number; y: number },
    link: boolean,
    viewer: Viewer,
  ): Promise<void> {
    const items: DroppedData['items'] = [...data]
      .filter(([type]) => type !== 'image/png')
      .map(([mimeType, bytes]) => ({ mimeType, data: Buffer.from(bytes).toString('utf8') }));
    const address = items.find(({ mimeType }) => mimeType === 'text/plain')?.data ?? '';
    // The browser opens a link that the page does not take. In a kiosk, users must not leave the page.
    if (link && !this.browser.kiosk && /^https?:\/\/\S+$/i.test(address))
      items.push({ mimeType: 'text/uri-list', data: address });
    const drop = () => this.browser.drop(at, items);
    if (items.length === 0 || !(await viewer.input.inTurn(at, drop))) {
      const message = 'No page accepted the content at this position, or you may not act on the page now.';
      throw new CallError('err_drop_refused', message);
    }
  }

  /** Returns the content of a complete transfer. Throws {@link CallError} if the caller may not act. */
  #received(transfer: number, caller: Caller): ClipboardData {
    const viewer = viewerOf(caller);
    if (!this.#canUpload(viewer)) {
      const message = 'Only a user who controls the browser may paste or drop. Ask for control first.';
      throw new CallError('err_forbidden', message);
    }
    const data = this.brought(viewer, transfer);
    if (!data) {
      const message = 'There is no such transfer, or it is not complete. Send it again.';
      throw new CallError('err_clipboard_no_transfer', message);
    }
    return data;
  }

  async #text(caller: Caller): Promise<string> {
    const bytes = (await this.#read(caller, ['text/plain'])).get('text/plain') ?? new Uint8Array();
    if (bytes.byteLength > MAX_ANSWER_BYTES) {
      const message = `The text has more than ${MAX_ANSWER_BYTES} bytes. Use clipboard.fetch, which sends it in chunks.`;
      throw new CallError('err_clipboard_too_large', message);
    }
    return Buffer.from(bytes).toString('utf8');
  }

  async #read({ viewer }: Caller, types?: readonly 'text/plain'[]): Promise<ClipboardData> {
    try {
      return await this.#clipboard.read(types, viewer?.input);
    } catch (error) {
      if (error instanceof TooLarge) throw tooLarge();
      if (!(error instanceof NoHandover)) throw error;
      throw new CallError(
        'err_clipboard_no_answer',
        'The browser did not send its clipboard in time. Try again.',
      );
    }
  }
}
