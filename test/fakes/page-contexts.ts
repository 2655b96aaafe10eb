import type { Command, FakeBrowser } from './fake-browser.js';

/** Id of the page's main frame. */
const MAIN_FRAME = 'F';

/** An execution context. Its name is empty if it belongs to the page's own scripts. */
interface Context {
  readonly frameId: string;
  readonly name: string;
}

/** The execution contexts of one page. Answers the commands about them as Chromium does. */
export class PageContexts {
  readonly #contexts = new Map<number, Context>();

  constructor(private readonly browser: FakeBrowser) {
    browser.silent = (command) => this.#take(command);
  }

  /** Adds a context. */
  add(id: number, frameId = MAIN_FRAME, name = ''): void {
    this.#contexts.set(id, { frameId, name });
  }

  /** Shows a document in another process, which has no contexts yet. */
  changeProcess(): void {
    this.#contexts.clear();
  }

  #take({ id, method, params, sessionId }: Command): boolean {
    const said = this.#answerTo(method, params);
    if (said) this.browser.say(JSON.stringify({ id, ...said, ...(sessionId && { sessionId }) }));
    return said !== undefined;
  }

  #answerTo(method: string, params: Command['params']): object | undefined {
    const { backendNodeId, contextId, executionContextId, frameId, objectId, worldName } = params;
    switch (method) {
      case 'Page.createIsolatedWorld':
        return { result: { executionContextId: this.#world(String(frameId), String(worldName)) } };
      case 'Runtime.evaluate':
        return this.#object(contextId ?? this.#idOf(MAIN_FRAME, ''), 'result');
      case 'DOM.describeNode': {
        const [, context] = String(objectId).split('.');
        return { result: { node: { backendNodeId: this.#contexts.get(Number(context))?.frameId } } };
      }
      case 'DOM.resolveNode':
        return this.#object(executionContextId ?? this.#idOf(String(backendNodeId), ''), 'object');
      default:
        return undefined;
    }
  }

  #object(context: unknown, key: string): object {
    return typeof context === 'number' && this.#contexts.has(context)
      ? { result: { [key]: { type: 'object', objectId: `-42.${context}.1` } } }
      : { error: { code: -32000, message: 'Cannot find context with specified id' } };
  }

  #world(frameId: string, name: string): number {
    const existing = this.#idOf(frameId, name);
    if (existing !== undefined) return existing;
    const id = Math.max(0, ...this.#contexts.keys()) + 1;
    this.add(id, frameId, name);
    return id;
  }

  #idOf(frameId: string, name: string): number | undefined {
    const found = [...this.#contexts].find(([, one]) => one.frameId === frameId && one.name === name);
    return found?.[0];
  }
}
