import { CdpError } from '../browser/cdp/cdp-session.js';
import type { DropCounter } from '../browser/cdp/drop-counter.js';
import type { FieldWatch } from '../browser/focus/field-watch.js';
import type { FocusWatch } from '../browser/focus/focus-watch.js';
import type { Pages } from '../browser/pages/pages.js';
import { ClientWindows } from '../display/windows/client-windows.js';
import { DisplayClipboard } from '../display/clipboard/display-clipboard.js';
import { TouchScreen } from '../display/touch-screen.js';
import { connectDisplay, displayEnd, type XConnection } from '../display/x-client.js';
import type { DisplayAddress } from '../display/x-server.js';
import { WindowKeeper } from '../display/windows/window-keeper.js';
import { BrowserSync } from './keyboard/browser-sync.js';
import { CompositionWatch } from './keyboard/composition-watch.js';
import { DisplayInput } from './display-input.js';
import { KeyGuard } from './keyboard/key-guard.js';
import { CLOSING_KEYS, pageOnlyKeys, withheldKeys } from './keyboard/kiosk-keys.js';
import { Keymap } from './keyboard/keymap.js';
import { MaskedFields } from './fields/masked-fields.js';
import { PageAreas } from './page-area.js';
import { PageKeys } from './keyboard/page-keys.js';
import { FocusedFieldSource } from './fields/focused-field-source.js';
import { SharedClipboard } from './shared-clipboard.js';
import { SharedModifiers } from './keyboard/shared-modifiers.js';
import { TaskQueue } from './task-queue.js';
import { TextInput } from './keyboard/text.js';
import { WheelInput } from './wheel.js';

/** Devices of a session, and the connection to its display. */
interface DeviceParts {
  connection: XConnection;
  pages: Pages;
  queue: TaskQueue;
  sync: BrowserSync;
  sink: DisplayInput;
  keys: KeyGuard;
  modifiers: SharedModifiers;
  keymap: Keymap;
  pageKeys: PageKeys;
  text: TextInput;
  wheel: WheelInput;
  glass: TouchScreen;
  areas: PageAreas;
  clipboard: SharedClipboard;
  masked: MaskedFields | undefined;
  focus: FocusedFieldSource;
}

/** Devices that all users of a session share: one display, one browser, one queue of events. */
export class InputDevices {
  readonly pages: Pages;
  readonly queue: TaskQueue;
  readonly sync: BrowserSync;
  readonly sink: DisplayInput;
  readonly keys: KeyGuard;
  readonly modifiers: SharedModifiers;
  readonly keymap: Keymap;
  readonly pageKeys: PageKeys;
  readonly text: TextInput;
  readonly wheel: WheelInput;
  readonly glass: TouchScreen;
  readonly areas: PageAreas;
  readonly clipboard: SharedClipboard;
  /** Present in sessions that mask fields. */
  readonly masked: MaskedFields | undefined;
  /** Reports the focused field to subscribers. */
  readonly focus: FocusedFieldSource;
  readonly #connection: XConnection;

  private constructor(parts: DeviceParts) {
    ({
      pages: this.pages,
      queue: this.queue,
      sync: this.sync,
      sink: this.sink,
      keys: this.keys,
      modifiers: this.modifiers,
      keymap: this.keymap,
      pageKeys: this.pageKeys,
      text: this.text,
      wheel: this.wheel,
      glass: this.glass,
      clipboard: this.clipboard,
      masked: this.masked,
      focus: this.focus,
      connection: this.#connection,
      areas: this.areas,
    } = parts);
  }

  /**
   * Opens all devices. Opens the display's devices while the browser still starts. After a failure, closes
   * everything and rejects.
   *
   * @param kiosk true if the session shows only the page. Then shortcuts of the browser do nothing
   */
  static async open(
    display: DisplayAddress,
    browser: Promise<{ pages: Pages; focus: FocusWatch | undefined; fields: FieldWatch }>,
    drops: DropCounter,
    kiosk: boolean,
  ): Promise<InputDevices> {
    const connection = await connectDisplay(display);
    const opening = TouchScreen.open(connection, display.touchSocket);
    const copying = DisplayClipboard.open(display);
    try {
      const opened = Promise.all([
        BrowserSync.open(connection, drops),
        DisplayInput.open(connection),
        ClientWindows.open(connection),
        WindowKeeper.open(connection, kiosk),
        opening,
        copying,
      ]);
      const ended = displayEnd(connection);
      const [sync, sink, windows, keeper, glass, copied] = await Promise.race([opened, ended]);
      const keymap = await Promise.race([Keymap.load(connection, () => sync.settled()), ended]);
      const { pages, focus, fields } = await browser;
      const areas = new PageAreas(connection, pages, windows, drops);
      const pageKeys = new PageKeys(pages);
      const masks = focus !== undefined;
      const pageOnly = pageOnlyKeys(kiosk, masks);
      const withheld = { shortcuts: withheldKeys(kiosk, masks), unknown: kiosk || masks };
      // Closes the popup without sending the shortcut to the browser. If the popup has just closed by itself,
      // the shortcut would close the kiosk's own page.
      const closeOpened = async () => (await keeper.closePopup()) || pages.closeOpened();
      const toPage = async (shortcut: string) => {
        const page = await pageKeys.target();
        if (page) await pageKeys.sendShortcut(page, shortcut.replace('Control+', ''));
      };
      const keys = new KeyGuard(sink, withheld, (shortcut) => {
        if (CLOSING_KEYS.includes(shortcut)) void closeOpened();
        if (pageOnly.includes(shortcut)) void toPage(shortcut);
      });
      const modifiers = new SharedModifiers();
      const text = new TextInput(pageKeys, keymap, keys, sync, new CompositionWatch(pages), modifiers);
      const wheel = new WheelInput(sink, areas);
      const queue = new TaskQueue((error) => {
        // Does not count commands that timed out, because they are counted under their own names. Does not
        // count commands that opened a dialog, because they were successful.
        if (!(error instanceof CdpError && ['timed-out', 'dialog'].includes(error.reason)))
          drops.add('input event', String(error));
      });
      return new InputDevices({
        ...{ connection, pages, queue, sync, sink, keys, modifiers, keymap, pageKeys, text, wheel },
        ...{ glass, areas },
        clipboard: new SharedClipboard(copied),
        masked: focus && new MaskedFields(focus, sync),
        focus: new FocusedFieldSource(fields, pages, windows, drops, kiosk),
      });
    } catch (error) {
      for (const part of [opening, copying]) void part.then((made) => made.close()).catch(() => undefined);
      connection.close();
      throw error;
    }
  }

  /** Applies a new size of the screen. */
  resized(screen: { width: number; height: number }): void {
    this.sink.screen = screen;
    this.glass.screen = screen;
    this.areas.forget();
  }

  close(): void {
    this.focus.close();
    this.glass.close();
    this.clipboard.close();
    this.#connection.close();
  }
}
