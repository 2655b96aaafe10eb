import { Modifier } from '../protocol/index.js';
import { ClipboardInput } from './clipboard/clipboard-input.js';
import type { InputTarget } from './input-target.js';
import type { PastedContent } from './clipboard/pasted-content.js';
import { KeyboardInput } from './keyboard/keyboard-input.js';
import { PasteQueue } from './clipboard/paste-queue.js';
import { PageKeyboard } from './keyboard/page-keyboard.js';
import { detectPlatform, type Platform } from './keyboard/platform.js';
import { PointerInput } from './pointer/pointer-input.js';
import { ReleaseControl } from './release-control.js';
import { SoftKeyboard } from './keyboard/soft-keyboard.js';
import { TextField } from './keyboard/text-field.js';
import { TextInput } from './keyboard/text-input.js';
import { TouchInput } from './pointer/touch-input.js';
import { WheelInput } from './pointer/wheel-input.js';

export type { InputSink, InputTarget, PasteOutlet, PicturePlacement } from './input-target.js';
export type { PastedContent } from './clipboard/pasted-content.js';
export { detectPlatform, type Platform } from './keyboard/platform.js';
export type { SoftKeyboard };
export { SentEvents, type SentEvent } from './sent-events.js';

/**
 * Scope of the keys that go to the remote screen. `surface`: keys pressed while the surface has the focus.
 * `page`: also the keys of the whole page, except keys that the user types into a field of the page. `none`:
 * no keys, and the surface does not get the focus.
 */
export type KeyboardScope = 'surface' | 'page' | 'none';

/** Height of the local text field after a click, while the remote field is still unknown. Pixels. */
const CLICKED_HEIGHT = 16;

/** Mouse, wheel, keyboard, text and touch input of one surface. */
export interface AttachedInput {
  /** Releases all keys, buttons and touches, locally and remotely. */
  release(): void;
  /** Focuses the remote screen, so that it receives the keys. */
  focus(): void;
  /** Controls a phone's on-screen keyboard and the position of an input method's list. */
  readonly softKeyboard: SoftKeyboard;
  setKeyboard(scope: KeyboardScope): void;
  /**
   * False: keys that the surface receives stay local, for example Tab. The Tab key then skips the surface.
   * Default true.
   */
  captureKeys(on: boolean): void;
  /** Pastes content into the focused remote field. */
  paste(content: PastedContent): void;
  /**
   * If the local clipboard is newer than the remote one, sends it for the remote context menu. The press that
   * opens the menu waits up to 500 ms until the content is sent.
   */
  offer(reading: Promise<PastedContent | undefined>): void;
  /** Presses Control+C. */
  copy(): void;
  /**
   * Records a copy in the remote browser.
   * @param here true if the content is on the local clipboard too
   * @param local content of the local clipboard at that moment, if the page may read it
   */
  copied(here: boolean, local?: Promise<PastedContent | undefined>): void;
  /** Releases everything, stops listening and restores the surface. */
  close(): void;
}

const COPY_KEY = { code: 'KeyC', key: 'c', modifiers: Modifier.control };

/** Converts the user's input on a surface to protocol events, until {@link AttachedInput.close} is called. */
export function attachInput(target: InputTarget, platform: Platform = detectPlatform()): AttachedInput {
  const pasteQueue = new PasteQueue(target.sink);
  const control = new ReleaseControl(pasteQueue);
  const field = new TextField(target.surface);
  const clipboard = new ClipboardInput(field, control, pasteQueue, target.pastes);
  const keyboard = new KeyboardInput(field, control, clipboard, platform);
  const page = new PageKeyboard(field, control, clipboard, platform);
  const text = new TextInput(field, control, clipboard);
  const softKeyboard = new SoftKeyboard(field, target, platform);
  const pointer = new PointerInput(target, control, platform, (event, inPicture) => {
    if (inPicture) {
      const { x, y } = target.placement.toContainer(event.clientX, event.clientY);
      field.moveTo({ left: x, top: y, height: CLICKED_HEIGHT });
      softKeyboard.clicked(!(event instanceof PointerEvent));
    }
    // Takes the focus also after a click next to the picture, or before the first picture, because the user
    // expects to type here.
    field.focus();
  });
  const wheel = new WheelInput(target, control, platform);
  const touch = new TouchInput(target, control, platform, (at) => softKeyboard.tapped(at));
  return {
    release: () => control.release(),
    focus: () => field.focus(),
    softKeyboard,
    paste: (content) => clipboard.paste(content),
    offer: (reading) => clipboard.offer(reading),
    copy: () => control.tap(COPY_KEY),
    copied(here, local) {
      if (here) clipboard.localHasCopied();
      else clipboard.remoteCopied(local);
    },
    setKeyboard(scope) {
      field.enabled = scope !== 'none';
      page.enabled = scope === 'page';
    },
    captureKeys: (on) => void (keyboard.captures = field.tabbable = on),
    close() {
      // The release must not wait for a paste.
      pasteQueue.close();
      control.close();
      for (const part of [keyboard, page, text, clipboard, pointer, wheel, touch, softKeyboard, field])
        part.close();
    },
  };
}
