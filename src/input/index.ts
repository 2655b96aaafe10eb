import { Modifier } from '../protocol/index.js';
import { ClipboardInput } from './clipboard-input.js';
import type { InputTarget } from './input-target.js';
import type { PastedContent } from './pasted-content.js';
import { KeyboardInput } from './keyboard-input.js';
import { PasteGate } from './paste-gate.js';
import { PageKeyboard } from './page-keyboard.js';
import { detectPlatform, type Platform } from './platform.js';
import { PointerInput } from './pointer-input.js';
import { ReleaseControl } from './release-control.js';
import { SoftKeyboard } from './soft-keyboard.js';
import { TextField } from './text-field.js';
import { TextInput } from './text-input.js';
import { TouchInput } from './touch-input.js';
import { WheelInput } from './wheel-input.js';

export type { InputSink, InputTarget, PasteOutlet, PicturePlacement } from './input-target.js';
export type { PastedContent } from './pasted-content.js';
export { detectPlatform, type Platform } from './platform.js';
export type { SoftKeyboard };
export { SentEvents, type SentEvent } from './sent-events.js';

/**
 * Which keys go to the remote screen: `surface`: those pressed while the surface has the focus. `page`: those of the whole
 * page too, unless they are typed into a field of it. `none`: none, the surface takes no focus.
 */
export type KeyboardScope = 'surface' | 'page' | 'none';

/** Of the text field where somebody clicked, before it is known what is there. Pixels. */
const CLICKED_HEIGHT = 16;

/** Mouse, wheel, keyboard, text and touch of one surface. */
export interface AttachedInput {
  /** Lets go of every key, button and finger, here and on the remote side. */
  release(): void;
  /** Gives the keyboard to the remote screen. */
  focus(): void;
  /** A phone's on-screen keyboard, and where an input method's list is. */
  readonly softKeyboard: SoftKeyboard;
  setKeyboard(scope: KeyboardScope): void;
  /** Pastes something where the remote focus is. */
  paste(content: PastedContent): void;
  /** What the remote browser's own menu is to paste, if it is newer than what is there; the press that opens it waits a moment. */
  offer(reading: Promise<PastedContent | undefined>): void;
  /** Presses Control+C. */
  copy(): void;
  /** Something was copied in the remote browser; `here`: it is on the local clipboard as well. */
  copied(here: boolean): void;
  /** Lets go of everything, stops listening and leaves the surface as it was. */
  close(): void;
}

const COPY_KEY = { code: 'KeyC', key: 'c', modifiers: Modifier.control };

/** Turns what the user does on a surface into protocol events, until closed. */
export function attachInput(target: InputTarget, platform: Platform = detectPlatform()): AttachedInput {
  const gate = new PasteGate(target.sink);
  const control = new ReleaseControl(gate);
  const field = new TextField(target.surface);
  const clipboard = new ClipboardInput(field, control, gate, target.pastes);
  const keyboard = new KeyboardInput(field, control, clipboard, platform);
  const page = new PageKeyboard(field, control, clipboard, platform);
  const text = new TextInput(field, control, clipboard);
  const softKeyboard = new SoftKeyboard(field, target, platform);
  const pointer = new PointerInput(target, control, platform, ({ clientX, clientY }, inPicture) => {
    if (inPicture) {
      field.moveTo({ left: clientX, top: clientY, height: CLICKED_HEIGHT });
      softKeyboard.clicked();
    }
    // Whoever clicks beside the picture, or before it is there, means to type here all the same.
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
    copied(here) {
      if (here) clipboard.localHasCopied();
      else clipboard.remoteCopied();
    },
    setKeyboard(scope) {
      field.enabled = scope !== 'none';
      page.enabled = scope === 'page';
    },
    close() {
      control.close();
      for (const part of [keyboard, page, text, clipboard, pointer, wheel, touch, softKeyboard, field])
        part.close();
    },
  };
}
