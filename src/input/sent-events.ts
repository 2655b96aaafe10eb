import { Modifier, type InputWithoutSeq } from '../protocol/index.js';
import type { Platform } from './keyboard/platform.js';

/**
 * Input that a program generates. Positions are fractions of the remote screen, from 0 to 1, starting at the
 * top left.
 */
export type SentEvent =
  | {
      type: 'keydown' | 'keyup';
      /** As `KeyboardEvent.key`: a character or a named key. */
      key: string;
      ctrlKey?: boolean | undefined;
      metaKey?: boolean | undefined;
    }
  | {
      type: 'mousedown' | 'mousemove' | 'mouseup';
      x: number;
      y: number;
      /** As `MouseEvent.button`. Default 0. */
      button?: number | undefined;
    }
  | {
      type: 'wheel';
      /** CSS pixels of the remote page to scroll right. Default 0. */
      deltaX?: number | undefined;
      /** CSS pixels of the remote page to scroll down. */
      deltaY: number;
    };

/** Bit in the protocol and physical key of each modifier key, by its key value. */
const MODIFIER_KEYS: Partial<Record<string, { bit: number; code: string }>> = {
  Shift: { bit: Modifier.shift, code: 'ShiftLeft' },
  Control: { bit: Modifier.control, code: 'ControlLeft' },
  Alt: { bit: Modifier.alt, code: 'AltLeft' },
  Meta: { bit: Modifier.meta, code: 'MetaLeft' },
};
/** Number of mouse buttons in the protocol: values 0 to 4 of `MouseEvent.button`. */
const BUTTONS = 5;
/** Maximum scroll distance of one message, see the protocol. */
const MAX_DELTA_PIXELS = 4095;
/** Maximum length of a key name. It keeps the name below the protocol's limit of 64 bytes of UTF-8. */
const MAX_KEY_CHARACTERS = 16;

/**
 * Converts {@link SentEvent}s to protocol events. These events come from the page's code, so values are
 * checked. Invalid values are ignored or limited without an error.
 */
export class SentEvents {
  readonly #held = new Set<string>();
  #pointer = { x: 0.5, y: 0.5 };

  constructor(
    private readonly send: (event: InputWithoutSeq) => void,
    private readonly remoteSize: () => { width: number; height: number },
    private readonly platform: Platform,
  ) {}

  /** Sends an event. Ignores unknown types, invalid values, and a `keyup` without a `keydown`. */
  handle(event: SentEvent): void {
    switch (event.type) {
      case 'keydown':
      case 'keyup':
        this.#key(event);
        break;
      case 'mousedown':
      case 'mousemove':
      case 'mouseup':
        this.#mouse(event);
        break;
      case 'wheel':
        this.#wheel(event);
        break;
    }
  }

  /** Releases the keys that are still down. */
  releaseKeys(): void {
    for (const key of [...this.#held]) this.#key({ type: 'keyup', key });
  }

  #key(event: Extract<SentEvent, { key: string }>): void {
    if (typeof event.key !== 'string' || event.key === '' || event.key.length > MAX_KEY_CHARACTERS) return;
    // The remote browser follows Linux conventions. A Mac's Command key becomes Control.
    const mac = this.platform === 'mac';
    const key = mac && event.key === 'Meta' ? 'Control' : event.key;
    const pressed = event.type === 'keydown';
    const repeat = pressed && this.#held.has(key);
    if (pressed) this.#held.add(key);
    else if (!this.#held.delete(key)) return;
    const control = event.ctrlKey === true || (mac && event.metaKey === true);
    const said = (control ? Modifier.control : 0) | (!mac && event.metaKey === true ? Modifier.meta : 0);
    const own = MODIFIER_KEYS[key];
    // The modifiers as they are after the event. A modifier that this event releases does not count.
    const modifiers = (this.#modifiers() | said) & ~(own && !pressed ? own.bit : 0);
    this.send({ type: 'key', code: own?.code ?? '', key, pressed, repeat, modifiers });
  }

  #mouse({ type, x, y, button = 0 }: Extract<SentEvent, { x: number }>): void {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    this.#pointer = { x, y };
    const at = { ...this.#position(), modifiers: this.#modifiers() };
    if (type === 'mousemove') this.send({ type: 'move', ...at });
    else if (Number.isInteger(button) && button >= 0 && button < BUTTONS)
      this.send({ type: 'button', button, pressed: type === 'mousedown', ...at });
  }

  #wheel({ deltaX = 0, deltaY }: Extract<SentEvent, { type: 'wheel' }>): void {
    const delta = { deltaX: within(deltaX), deltaY: within(deltaY) };
    this.send({ type: 'wheel', ...delta, notched: false, ...this.#position(), modifiers: this.#modifiers() });
  }

  #position(): { x: number; y: number } {
    const { width, height } = this.remoteSize();
    return { x: pixel(this.#pointer.x, width), y: pixel(this.#pointer.y, height) };
  }

  #modifiers(): number {
    let bits = 0;
    for (const key of this.#held) bits |= MODIFIER_KEYS[key]?.bit ?? 0;
    return bits;
  }
}

function pixel(part: number, size: number): number {
  return Math.max(0, Math.min(size - 1, Math.floor(part * size)));
}

function within(delta: number): number {
  return Number.isFinite(delta) ? Math.max(-MAX_DELTA_PIXELS, Math.min(MAX_DELTA_PIXELS, delta)) : 0;
}
