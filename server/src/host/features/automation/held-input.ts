/** Sends a command to a session of the browser. */
type Post = (method: string, params: object, sessionId: string) => void;
type Params = Readonly<Record<string, unknown>>;

/** Maximum number of keys that are tracked. A keyboard has fewer. */
const MAX_KEYS = 200;

interface Held {
  readonly keys: Map<string, Params>;
  readonly buttons: Map<string, Params>;
  touches: boolean;
}

/** Keys, mouse buttons and fingers that a program holds. They are released when it leaves. */
export class HeldInput {
  readonly #sessions = new Map<string, Held>();

  /** True if the program holds anything. */
  get any(): boolean {
    return [...this.#sessions.values()].some(
      ({ keys, buttons, touches }) => keys.size > 0 || buttons.size > 0 || touches,
    );
  }

  /** Records a command that the browser receives. */
  note(method: string, params: Params, sessionId: string): void {
    if (!method.startsWith('Input.dispatch')) return;
    const held = this.#sessions.get(sessionId) ?? { keys: new Map(), buttons: new Map(), touches: false };
    this.#sessions.set(sessionId, held);
    const { type } = params;
    if (method === 'Input.dispatchKeyEvent') noteKey(held.keys, params);
    else if (method === 'Input.dispatchMouseEvent') noteButton(held.buttons, params);
    else if (method === 'Input.dispatchTouchEvent')
      held.touches = type === 'touchStart' || (held.touches && type === 'touchMove');
  }

  /** Forgets a session that has ended. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** Releases everything. */
  releaseAll(post: Post): void {
    for (const [sessionId, { keys, buttons, touches }] of this.#sessions) {
      for (const params of keys.values()) post('Input.dispatchKeyEvent', params, sessionId);
      for (const params of buttons.values()) post('Input.dispatchMouseEvent', params, sessionId);
      if (touches) post('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] }, sessionId);
    }
    this.#sessions.clear();
  }
}

function noteKey(keys: Held['keys'], { type, code, key, windowsVirtualKeyCode, location }: Params): void {
  const name = String(code ?? key ?? windowsVirtualKeyCode);
  if (type === 'keyUp') keys.delete(name);
  if ((type === 'keyDown' || type === 'rawKeyDown') && keys.size < MAX_KEYS)
    keys.set(name, { type: 'keyUp', ...defined({ code, key, windowsVirtualKeyCode, location }) });
}

function noteButton(buttons: Held['buttons'], { type, button, x, y, modifiers }: Params): void {
  const name = String(button);
  if (type === 'mouseReleased') buttons.delete(name);
  if (type === 'mousePressed' && name !== 'none')
    buttons.set(name, { type: 'mouseReleased', clickCount: 1, ...defined({ button, x, y, modifiers }) });
}

/** JSON leaves out properties that are undefined. */
function defined(params: Params): Params {
  return params;
}
