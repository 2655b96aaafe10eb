import type { CdpConnection } from '../../server/src/host/browser/cdp/cdp-connection.js';
import type { Pages } from '../../server/src/host/browser/pages/pages.js';
import type { ClientWindows } from '../../server/src/host/display/windows/client-windows.js';
import type { XConnection } from '../../server/src/host/display/x-client.js';
import type { InputDevices } from '../../server/src/host/input/input-devices.js';
import type { BrowserSync } from '../../server/src/host/input/keyboard/browser-sync.js';
import type { Keymap } from '../../server/src/host/input/keyboard/keymap.js';
import { CompositionWatch } from '../../server/src/host/input/keyboard/composition-watch.js';
import { SharedModifiers } from '../../server/src/host/input/keyboard/shared-modifiers.js';
import { PageKeys } from '../../server/src/host/input/keyboard/page-keys.js';
import { PageAreas } from '../../server/src/host/input/page-area.js';
import { TaskQueue } from '../../server/src/host/input/task-queue.js';
import { TextInput } from '../../server/src/host/input/keyboard/text.js';
import { WheelInput } from '../../server/src/host/input/wheel.js';
import { fakeClipboard } from './fake-clipboard.js';

/**
 * The input devices of a session with the real CDP input to its pages, and a display that only records its
 * input.
 */
export function inputParts(cdp: CdpConnection, pages: Pages, display: string[]): InputDevices {
  const sink = {
    locked: false,
    moveBy: () => undefined,
    leave: () => undefined,
    lock: (on: boolean) => display.push(`lock ${on ? 'on' : 'off'}`),
    move: (x: number, y: number) => display.push(`move ${x} ${y}`),
    button: (button: number, down: boolean) => display.push(`button ${button} ${down ? 'down' : 'up'}`),
    key: (key: number, down: boolean) => display.push(`key ${key} ${down ? 'down' : 'up'}`) > 0,
  };
  const glass = { press: () => display.push('finger down'), move: () => undefined, lift: () => undefined };
  // The display has no key for any character, so all text goes to pages over CDP.
  const keymap = {
    exact: () => undefined,
    find: () => 9,
    spareFor: () => Promise.resolve(9),
  } as unknown as Keymap;
  const sync = { settled: () => Promise.resolve() } as unknown as BrowserSync;
  const x = {
    QueryPointer: (_root: number, reply: (error: null, at: object) => void) => reply(null, { child: 0 }),
  };
  const areas = new PageAreas(
    { x, root: 1 } as unknown as XConnection,
    pages,
    { list: () => Promise.resolve([]) } as unknown as ClientWindows,
    cdp.drops,
  );
  const pageKeys = new PageKeys(pages);
  const modifiers = new SharedModifiers();
  const text = new TextInput(pageKeys, keymap, sink, sync, new CompositionWatch(pages), modifiers);
  const queue = new TaskQueue((error) => display.push(String(error)));
  const wheel = new WheelInput(sink, areas);
  return {
    pages,
    queue,
    sync,
    sink,
    keys: sink,
    modifiers,
    keymap,
    pageKeys,
    text,
    wheel,
    glass,
    clipboard: fakeClipboard(),
  } as unknown as InputDevices;
}
