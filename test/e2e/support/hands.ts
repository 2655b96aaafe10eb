import type { CloudBrowserClient } from '../../../src/core/index.js';
import { Modifier, type InputWithoutSeq } from '../../../src/protocol/index.js';

const MODIFIERS = {
  Control: Modifier.control,
  Shift: Modifier.shift,
  Alt: Modifier.alt,
  Meta: Modifier.meta,
} as const;

const isModifier = (name: string): name is keyof typeof MODIFIERS => name in MODIFIERS;

/**
 * Sends the input of a person with an American keyboard and a mouse through a headless client, without
 * waiting.
 */
export class Hands {
  constructor(private readonly client: CloudBrowserClient) {}

  /** Presses keys together and lifts them: `Control+Shift+KeyT`, by `KeyboardEvent.code`. */
  press(shortcut: string): void {
    const names = shortcut.split('+');
    const code = names.pop() ?? '';
    const held = names.filter(isModifier);
    const modifiers = held.reduce((sum, name) => sum | MODIFIERS[name], 0);
    for (const name of held) this.#key(`${name}Left`, name, true, modifiers);
    const key = /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? code;
    for (const pressed of [true, false])
      this.#key(
        code,
        held.includes('Shift') ? key.replace(/^.$/, (c) => c.toUpperCase()) : key,
        pressed,
        modifiers,
      );
    for (const name of held) this.#key(`${name}Left`, name, false, 0);
  }

  move(x: number, y: number, modifiers = 0): void {
    this.client.sendInput({ type: 'move', x, y, modifiers });
  }

  /** @param button as in `MouseEvent.button` */
  click(x: number, y: number, button = 0): void {
    this.move(x, y);
    this.#button(x, y, button, true);
    this.#button(x, y, button, false);
  }

  drag(from: [x: number, y: number], to: [x: number, y: number]): void {
    this.move(...from);
    this.#button(...from, 0, true);
    for (let step = 1; step <= 10; step++)
      this.move(from[0] + ((to[0] - from[0]) * step) / 10, from[1] + ((to[1] - from[1]) * step) / 10);
    this.#button(...to, 0, false);
  }

  /** Clicks with Shift held. */
  clickShifted(x: number, y: number): void {
    this.#key('ShiftLeft', 'Shift', true, MODIFIERS.Shift);
    this.move(x, y, MODIFIERS.Shift);
    for (const pressed of [true, false]) this.#button(x, y, 0, pressed, MODIFIERS.Shift);
    this.#key('ShiftLeft', 'Shift', false, 0);
  }

  #button(x: number, y: number, button: number, pressed: boolean, modifiers = 0): void {
    this.client.sendInput({ type: 'button', button, pressed, x, y, modifiers });
  }

  #key(code: string, key: string, pressed: boolean, modifiers: number): void {
    const event: InputWithoutSeq = { type: 'key', pressed, repeat: false, code, key, modifiers };
    this.client.sendInput(event);
  }
}
