import { Modifier, type InputEvent, type Touch } from 'cloud-browser/protocol';

type Params = Readonly<Record<string, unknown>>;

/**
 * Maximum length of a text in characters. The rest is cut. A message of a program may have 100 MB. Recordings
 * count the characters and compare titles with the text, which would block the host.
 */
export const MAX_TEXT_CHARS = 16_384;
/** Maps the names of mouse buttons in commands to the numbers in input events. */
const BUTTONS = new Map(Object.entries({ left: 0, middle: 1, right: 2, back: 3, forward: 4 }));
/** Pairs of a modifier's bit in commands and its bit in input events. */
const MODIFIERS = [
  [1, Modifier.alt],
  [2, Modifier.control],
  [4, Modifier.meta],
  [8, Modifier.shift],
] as const;
const TOUCH_PHASES: ReadonlyMap<unknown, Touch['phase']> = new Map([
  ['touchStart', 'start'],
  ['touchMove', 'move'],
  ['touchEnd', 'end'],
  ['touchCancel', 'cancel'],
] as const);

/** True if a command is input that could paste. Moves of the pointer and turns of the wheel cannot. */
export function canPaste(method: string, { type }: Params): boolean {
  return method.startsWith('Input.') && type !== 'mouseMoved' && type !== 'mouseWheel';
}

/**
 * Returns a program's input command in the form of an input event, for recordings. The positions are CSS
 * pixels of the page. Undefined for commands that a recording does not show.
 */
export function actOf(method: string, params: Params): InputEvent | undefined {
  switch (method) {
    case 'Input.dispatchMouseEvent':
      return mouseOf(params);
    case 'Input.dispatchKeyEvent':
      return keyOf(params);
    case 'Input.insertText':
      return { type: 'text', seq: 0, modifiers: 0, text: textOf(params['text']) };
    case 'Input.dispatchTouchEvent':
      return touchOf(params);
    default:
      return undefined;
  }
}

function mouseOf(params: Params): InputEvent | undefined {
  const [x, y] = [numberOf(params['x']), numberOf(params['y'])];
  const at = { seq: 0, modifiers: modifiersOf(params), x, y };
  const button = BUTTONS.get(textOf(params['button']));
  if (params['type'] === 'mouseWheel')
    return {
      ...{ type: 'wheel', ...at, notched: true },
      ...{ deltaX: numberOf(params['deltaX']), deltaY: numberOf(params['deltaY']) },
    };
  const isPress = params['type'] === 'mousePressed';
  if (button === undefined || !(isPress || params['type'] === 'mouseReleased')) return undefined;
  return { type: 'button', ...at, button, pressed: isPress };
}

function keyOf(params: Params): InputEvent | undefined {
  const { type, autoRepeat } = params;
  const [code, key, text] = [textOf(params['code']), textOf(params['key']), textOf(params['text'])];
  if (type === 'char') return { type: 'text', seq: 0, modifiers: 0, text };
  if (type !== 'keyDown' && type !== 'rawKeyDown') return undefined;
  const modifiers = modifiersOf(params);
  return { type: 'key', seq: 0, modifiers, code, key, pressed: true, repeat: autoRepeat === true };
}

function touchOf({ type, touchPoints }: Params): InputEvent | undefined {
  const phase = TOUCH_PHASES.get(type);
  if (!phase || !Array.isArray(touchPoints)) return undefined;
  const points = touchPoints.map((value: unknown, index) => {
    const point: Params = typeof value === 'object' && value !== null ? { ...value } : {};
    const id = typeof point['id'] === 'number' ? point['id'] : index;
    return { id, x: numberOf(point['x']), y: numberOf(point['y']) };
  });
  return { type: 'touch', seq: 0, modifiers: 0, phase, points };
}

function modifiersOf({ modifiers }: Params): number {
  const bits = numberOf(modifiers);
  return MODIFIERS.reduce((sum, [theirs, ours]) => sum | ((bits & theirs) !== 0 ? ours : 0), 0);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARS) : '';
}
