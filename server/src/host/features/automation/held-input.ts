/** Sends a command to a CDP session. */
type Post = (method: string, params: object, sessionId: string) => void;
type Params = Readonly<Record<string, unknown>>;

/** Maximum number of keys that are tracked. A keyboard has fewer. */
const MAX_KEYS = 200;

/** Maximum number of characters of a value that is tracked. The names of keys and buttons are shorter. */
const MAX_LENGTH = 100;
/** The buttons that Chromium knows. It refuses other names. */
const BUTTONS: ReadonlySet<unknown> = new Set(['left', 'middle', 'right', 'back', 'forward']);

/**
 * Maximum number of released keys and buttons that are remembered. A program could press keys with ever new
 * names.
 */
const MAX_RELEASED = MAX_KEYS + BUTTONS.size;

/** Types of the events that press a key or a button. */
const PRESSES: ReadonlySet<unknown> = new Set(['keyDown', 'rawKeyDown', 'mousePressed']);

interface Held {
  readonly keys: Map<string, Params>;
  readonly buttons: Map<string, Params>;
  touches: boolean;
  /**
   * Keys and buttons that {@link HeldInput.releaseAll} has released. The program does not know this, and will
   * release them again.
   */
  readonly released: Set<string>;
}

/**
 * Keys, mouse buttons and fingers that a program holds. The host releases them when the program leaves or
 * loses control.
 */
export class HeldInput {
  readonly #sessions = new Map<string, Held>();

  /** True if the program holds a key, a button or a finger. */
  get any(): boolean {
    return [...this.#sessions.values()].some(
      ({ keys, buttons, touches }) => keys.size > 0 || buttons.size > 0 || touches,
    );
  }

  /**
   * Records a command that is sent to the browser. Ignores a command with very long values. The browser has
   * not checked the command yet, so a program could otherwise fill the memory.
   */
  note(method: string, params: Params, sessionId: string): void {
    if (!method.startsWith('Input.dispatch') || !areShort(params)) return;
    const held = this.#sessions.get(sessionId) ?? {
      ...{ keys: new Map<string, Params>(), buttons: new Map<string, Params>(), touches: false },
      released: new Set<string>(),
    };
    this.#sessions.set(sessionId, held);
    const { type } = params;
    if (PRESSES.has(type)) held.released.delete(`${method} ${nameOf(method, params)}`);
    if (method === 'Input.dispatchKeyEvent') noteKey(held.keys, params);
    else if (method === 'Input.dispatchMouseEvent') noteButton(held.buttons, params);
    else if (method === 'Input.dispatchTouchEvent')
      held.touches = type === 'touchStart' || (held.touches && type === 'touchMove');
  }

  /**
   * Returns true if a command releases a key or button that {@link releaseAll} has already released. The page
   * must not receive this command. A second call with the same command returns false.
   */
  wasReleased(method: string, params: Params, sessionId: string): boolean {
    const { type } = params;
    if (type !== 'keyUp' && type !== 'mouseReleased') return false;
    return this.#sessions.get(sessionId)?.released.delete(`${method} ${nameOf(method, params)}`) ?? false;
  }

  /** Forgets a CDP session that has ended. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** Releases all keys, buttons and fingers that the program holds. */
  releaseAll(post: Post): void {
    for (const [sessionId, held] of this.#sessions) {
      const { keys, buttons, released } = held;
      const release = (method: string, params: Params): void => {
        released.add(`${method} ${nameOf(method, params)}`);
        const [oldest] = released;
        if (released.size > MAX_RELEASED && oldest !== undefined) released.delete(oldest);
        post(method, params, sessionId);
      };
      for (const params of keys.values()) release('Input.dispatchKeyEvent', params);
      for (const params of buttons.values()) release('Input.dispatchMouseEvent', params);
      if (held.touches) post('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] }, sessionId);
      keys.clear();
      buttons.clear();
      held.touches = false;
    }
  }
}

/** Returns the name of a key or button. */
function nameOf(method: string, { button, code, key, windowsVirtualKeyCode }: Params): string {
  return String(method === 'Input.dispatchMouseEvent' ? button : (code ?? key ?? windowsVirtualKeyCode));
}

/** True if the values that are tracked need little memory. */
function areShort({ code, key, windowsVirtualKeyCode, location, x, y, modifiers }: Params): boolean {
  return [code, key, windowsVirtualKeyCode, location, x, y, modifiers].every(
    (value) =>
      value === undefined ||
      typeof value === 'number' ||
      (typeof value === 'string' && value.length <= MAX_LENGTH),
  );
}

function noteKey(keys: Held['keys'], params: Params): void {
  const { type, code, key, windowsVirtualKeyCode, location } = params;
  const name = nameOf('Input.dispatchKeyEvent', params);
  if (type === 'keyUp') keys.delete(name);
  if (PRESSES.has(type) && keys.size < MAX_KEYS)
    keys.set(name, { type: 'keyUp', code, key, windowsVirtualKeyCode, location });
}

function noteButton(buttons: Held['buttons'], { type, button, x, y, modifiers }: Params): void {
  const name = String(button);
  // Moves the release of a held button to the newest position. A release at the position of the press could
  // click an element.
  if (typeof x === 'number' && typeof y === 'number')
    for (const [held, release] of buttons) buttons.set(held, { ...release, x, y });
  if (type === 'mouseReleased') buttons.delete(name);
  if (type === 'mousePressed' && BUTTONS.has(button))
    buttons.set(name, { type: 'mouseReleased', clickCount: 1, button, x, y, modifiers });
}
