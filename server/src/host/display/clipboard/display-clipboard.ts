import type { FixesExtension, X11Event } from 'x11';
import {
  CLIPBOARD_LIMITS,
  CLIPBOARD_TYPES,
  type ClipboardData,
  type ClipboardType,
} from 'cloud-browser/protocol';
import { openOn, request, type XConnection } from '../x-client.js';
import type { DisplayAddress } from '../x-server.js';
import { clipboardAtoms, TARGETS_OF, type ClipboardAtoms } from './clipboard-atoms.js';
import { SelectionOwner } from './selection-owner.js';
import { HANDOVER_TIMEOUTS, SelectionReader } from './selection-reader.js';

/** Maximum size of a program's list of formats. */
const MAX_TARGETS_BYTES = 4 * 1024;
/** Prefix that Chromium adds to HTML for other X11 programs. Pages never see it. */
const HTML_PREFIX = Buffer.from('<meta http-equiv="content-type" content="text/html; charset=utf-8">');

/** The clipboard of one display: data that programs have copied there, and data that the host puts there. */
export class DisplayClipboard {
  /** Called when a program of the display has copied something. */
  onCopied: () => void = () => undefined;
  readonly #reader: SelectionReader;

  private constructor(
    private readonly connection: XConnection,
    private readonly atoms: ClipboardAtoms,
    fixes: FixesExtension,
    timeouts: typeof HANDOVER_TIMEOUTS,
    readonly owner: SelectionOwner,
  ) {
    this.#reader = new SelectionReader(connection, atoms, timeouts);
    connection.x.on('event', (event: X11Event) => {
      // Two kinds of events have this name. Only those of the XFixes extension have no requestor.
      if (event.name !== 'SelectionNotify' || event['requestor'] !== undefined) return;
      const by = Number(event['owner']);
      if (by !== 0 && !owner.is(by)) this.onCopied();
    });
    fixes.SelectSelectionInput(connection.root, atoms.CLIPBOARD, fixes.SelectionEventMask.SetSelectionOwner);
  }

  static open(address: DisplayAddress, timeouts = HANDOVER_TIMEOUTS): Promise<DisplayClipboard> {
    return openOn(address, async (connection) => {
      const [atoms, fixes] = await Promise.all([
        clipboardAtoms(connection),
        request<FixesExtension>((reply) => connection.x.require('fixes', reply)),
      ]);
      const owner = new SelectionOwner(connection, atoms);
      return new DisplayClipboard(connection, atoms, fixes, timeouts, owner);
    });
  }

  /**
   * Returns the types of the clipboard's content; empty if the clipboard is empty. Rejects with `NoHandover`
   * or `TooLarge`.
   */
  async types(): Promise<ClipboardType[]> {
    if (this.owner.data) return [...this.owner.data.keys()];
    const bytes = (await this.#reader.read(this.atoms.TARGETS, MAX_TARGETS_BYTES)) ?? Buffer.alloc(0);
    const offered = new Set<number>();
    for (let at = 0; at + 4 <= bytes.length; at += 4) offered.add(bytes.readUInt32LE(at));
    return CLIPBOARD_TYPES.filter((type) => TARGETS_OF[type].some((name) => offered.has(this.atoms[name])));
  }

  /**
   * Returns the clipboard's content in the wanted types, by default in all types. Rejects with `NoHandover`
   * or `TooLarge`.
   */
  async read(wanted: readonly ClipboardType[] = CLIPBOARD_TYPES): Promise<ClipboardData> {
    if (this.owner.data) return new Map([...this.owner.data].filter(([type]) => wanted.includes(type)));
    const data = new Map<ClipboardType, Uint8Array>();
    // Reads one type after the other, the picture last. If an earlier type is too large, the browser need not
    // encode the picture.
    for (const type of await this.types()) {
      if (!wanted.includes(type)) continue;
      const target = this.atoms[TARGETS_OF[type][0] ?? 'TEXT'];
      const bytes = await this.#reader.read(target, CLIPBOARD_LIMITS[type]);
      if (bytes) data.set(type, type === 'text/html' ? htmlOf(bytes) : bytes);
    }
    return data;
  }

  close(): void {
    this.owner.close();
    this.connection.close();
  }
}

/**
 * Returns HTML as a page would see it: without {@link HTML_PREFIX}, and without the zero byte that some
 * programs append.
 */
function htmlOf(bytes: Buffer): Buffer {
  const whole = bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
  return whole.subarray(0, HTML_PREFIX.length).equals(HTML_PREFIX)
    ? whole.subarray(HTML_PREFIX.length)
    : whole;
}
