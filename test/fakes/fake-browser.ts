import { PassThrough } from 'node:stream';
import { CdpConnection } from '../../server/src/host/browser/cdp/cdp-connection.js';
import { DropCounter, type Drop } from '../../server/src/host/browser/cdp/drop-counter.js';

/** A command as the browser reads it. */
export interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
  sessionId?: string;
}

/** A frame that has the keyboard, and no field that has the focus. */
export const NO_FIELD = {
  ...{ focused: true, visible: true, kind: 'none', inputMode: '', masked: false, hidden: false },
  ...{ rectangle: [0, 0, 0, 0], under: false, hides: false, within: true },
};

/**
 * A browser's end of the CDP pipe: two pages, the second of them in front, and a worker that the bridge asks
 * for.
 */
export class FakeBrowser {
  readonly commands: Command[] = [];
  readonly drops: Drop[] = [];
  readonly #toBrowser = new PassThrough();
  readonly #fromBrowser = new PassThrough();
  readonly cdp = new CdpConnection(
    this.#toBrowser,
    this.#fromBrowser,
    new DropCounter((drop) => this.drops.push(drop)),
  );
  /** Returns true if the browser gives a command no answer. */
  silent: (command: Command) => boolean = () => false;
  readonly #unanswered: Command[] = [];
  /** The report of the focus script in every frame; see `FocusWatch`. */
  focus: object = { ...NO_FIELD };
  /** Masked areas with content, which the focus script reports in every frame. */
  filled: number[][] = [];
  /** The id of the frame that the script finds below the pointer. */
  frameBelow: string | undefined;
  /** True if composed text is still at its place; see `CompositionWatch`. */
  composes = true;
  /** Targets that the browser reports to a session that follows targets. */
  readonly targets: object[] = [];
  /** The navigation history of every page. The last entry is shown. */
  history: { id: number; url: string }[] = [];
  /** Address that the browser could not open, in every page. */
  unreachableUrl: string | undefined;
  /** True if no page has a text. */
  isEmpty = false;
  /** Size of every page's content, in CSS pixels. */
  contentSize = { width: 800, height: 600 };
  /** Returns true if the browser refuses a command. */
  refuse: (command: Command) => boolean = () => false;

  /** @param pages whether it has its two pages from the start */
  constructor(private readonly pages = true) {
    this.#toBrowser.on('data', (data: Buffer) => {
      for (const text of data.toString().split('\0').filter(Boolean)) this.#take(JSON.parse(text) as Command);
    });
  }

  get methods(): string[] {
    return this.commands.map(({ method }) => method);
  }

  /** Sends an event, on a target's session or on the browser's own. */
  tell(method: string, params: object = {}, sessionId?: string): void {
    this.say(JSON.stringify({ method, params, ...(sessionId && { sessionId }) }));
  }

  /** Sends the event that a target was attached, from the browser or from another target. */
  attach(sessionId: string, type: string, parent?: string, url = 'about:blank'): void {
    const targetInfo = { targetId: `target-${sessionId}`, url, type };
    this.tell('Target.attachedToTarget', { sessionId, targetInfo, waitingForDebugger: true }, parent);
  }

  /** Answers all commands that were left without an answer, and all later ones. */
  speak(): void {
    this.silent = () => false;
    for (const command of this.#unanswered.splice(0)) this.answer(command);
  }

  /** Answers a command that was left without an answer. */
  answer({ id, sessionId, ...command }: Command): void {
    const asked = { id, ...command, ...(sessionId && { sessionId }) };
    const watched = command.method === 'Runtime.callFunctionOn' && 'returnByValue' in command.params;
    const own = watched
      ? { result: { value: this.composes } }
      : String(command.params['expression']).includes('innerText.trim')
        ? { result: { value: this.isEmpty } }
        : (this.#aboutPage(command.method) ?? this.#frameBelow(command.method, command.params));
    const result = own ?? resultOf(asked, this.focus, this.filled);
    this.say(JSON.stringify({ id, result, ...(sessionId && { sessionId }) }));
  }

  /** Sends any text, JSON or not. */
  say(text: string): void {
    // The answer comes in a later turn: over a pipe it cannot come within the call that sends the command.
    queueMicrotask(() => this.#fromBrowser.write(`${text}\0`));
  }

  #aboutPage(method: string): object | undefined {
    const { unreachableUrl } = this;
    if (method === 'Page.getFrameTree' && unreachableUrl !== undefined)
      return { frameTree: { frame: { id: 'frame', unreachableUrl } } };
    if (method === 'Page.getNavigationHistory')
      return { currentIndex: this.history.length - 1, entries: this.history };
    return method === 'Page.getLayoutMetrics' ? { cssContentSize: this.contentSize } : undefined;
  }

  #frameBelow(method: string, params: Record<string, unknown>): object | undefined {
    if (method === 'Runtime.evaluate' && String(params['expression']).endsWith('.under()'))
      return { result: { type: 'object', objectId: 'frame' } };
    return method === 'DOM.describeNode' && params['objectId'] === 'frame'
      ? { node: { frameId: this.frameBelow } }
      : undefined;
  }

  #take(command: Command): void {
    this.commands.push(command);
    if (this.pages && command.method === 'Target.setAutoAttach' && !command.sessionId) {
      this.attach('hidden', 'page');
      this.attach('front', 'page');
    }
    if (command.method === 'Target.setDiscoverTargets' && this.targets.length > 0)
      // A real browser takes a turn until it reports them.
      setImmediate(() => {
        for (const targetInfo of this.targets)
          this.tell('Target.targetCreated', { targetInfo }, command.sessionId);
        this.answer(command);
      });
    else if (this.refuse(command))
      this.say(JSON.stringify({ id: command.id, error: { message: 'Not now.' } }));
    else if (this.silent(command)) this.#unanswered.push(command);
    else this.answer(command);
  }
}

function resultOf({ method, params, sessionId }: Command, focus: object, filled: number[][]): object {
  switch (method) {
    case 'Browser.getVersion':
      return { product: 'Chrome/156.0.1.2' };
    case 'Browser.getWindowForTarget':
      return { windowId: 1, bounds: { left: 0, top: 0, width: 800, height: 700 } };
    case 'Extensions.loadUnpacked':
      return { id: 'abc' };
    case 'Target.getTargets':
      return { targetInfos: [{ targetId: 'worker', url: 'chrome-extension://abc/worker.js' }] };
    case 'Target.attachToTarget':
      return { sessionId: 'worker' };
    case 'Runtime.evaluate':
      return { result: valueOf(String(params['expression']), sessionId, focus, filled) };
    case 'DOM.describeNode':
      return { node: {} };
    case 'DOM.resolveNode':
      return { object: { objectId: 'node' } };
    case 'Page.createIsolatedWorld':
      return { executionContextId: 7 };
    case 'Page.getFrameTree':
      return { frameTree: { frame: { id: `frame-${sessionId}` } } };
    default:
      return {};
  }
}

function valueOf(
  expression: string,
  sessionId: string | undefined,
  focus: object,
  filled: number[][],
): object {
  if (expression.includes('compositionend')) return { type: 'function', objectId: '2' };
  if (/\.(focus|look)\(/.test(expression)) return { value: focus };
  if (expression.includes('.marks(')) return { value: { visible: true, areas: filled, frames: [] } };
  if (/ in globalThis$|\.(open|close)\(/.test(expression)) return { value: true };
  if (expression === 'typeof bridge') return { value: 'object' };
  if (expression.includes('callTabs')) return { value: { result: [] } };
  if (expression.includes('visibilityState')) return { value: sessionId === 'front' };
  if (expression.includes('hasFocus')) return { value: true };
  if (expression.includes('screenX')) return { value: [0, 100, 1] };
  if (expression.includes('visualViewport.height')) return { value: [600, 1] };
  return { objectId: '1' };
}
