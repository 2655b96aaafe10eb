import { isRecord } from '../../../../platform/is-record.js';
import type { Answer } from '../browser-link.js';

/** An isolated world of the program in one frame: the parameters of `Page.createIsolatedWorld`. */
type World = Readonly<Record<string, unknown>>;

/**
 * Sends a command of the relay in a CDP session. Resolves to its result, or to undefined if the browser
 * refused the command.
 */
export type Ask = (method: string, params: object, sessionId: string) => Promise<Answer | undefined>;

/** Maximum number of isolated worlds that are remembered for one CDP session. */
const MAX_WORLDS = 1_000;
/** Name of the group of the objects that this class requests. */
const OBJECTS = 'session-contexts';
/** Form of an object's id: the numbers of its isolate, of its context, and of the object. */
const OBJECT_ID = /^-?\d+\.(\d+)\.\d+$/;

/**
 * Checks the contexts in CDP sessions in which the program has not enabled the domain `Runtime`. Some clients
 * never enable it, because a page can detect that. Chromium then does not report contexts. Such a client
 * reads the ids of contexts from answers, from the ids of objects, or from calls of its bindings.
 *
 * The class asks the browser before each use of a context. Each process numbers its contexts anew. So after a
 * navigation to another process, the same id may belong to another world.
 */
export class UnreportedContexts {
  /** Isolated worlds of the program, by CDP session and context. The oldest world of a session is first. */
  readonly #worlds = new Map<string, Map<number, World>>();

  constructor(private readonly ask: Ask) {}

  /** Records an isolated world of the program, whose name was checked. */
  record(sessionId: string, context: unknown, { frameId, worldName, grantUniveralAccess }: World): void {
    if (typeof context !== 'number' || typeof frameId !== 'string') return;
    const worlds = this.#worlds.get(sessionId) ?? new Map<number, World>();
    this.#worlds.set(sessionId, worlds);
    worlds.delete(context);
    worlds.set(context, { frameId, worldName, grantUniveralAccess });
    const [oldest] = worlds.keys();
    if (worlds.size > MAX_WORLDS && oldest !== undefined) worlds.delete(oldest);
  }

  /** Forgets a CDP session. */
  forget(sessionId: string): void {
    this.#worlds.delete(sessionId);
  }

  /** Resolves to true if the program may use a context now. */
  async allows(sessionId: string, context: unknown): Promise<boolean> {
    if (typeof context !== 'number') return false;
    const world = this.#worlds.get(sessionId)?.get(context);
    if (world) {
      // The browser returns the existing world of this name. In another process it creates the world again.
      const again = await this.ask('Page.createIsolatedWorld', world, sessionId);
      if (again?.['executionContextId'] === context) return true;
    }
    const isOfPage = await this.#isOfPage(sessionId, context);
    void this.ask('Runtime.releaseObjectGroup', { objectGroup: OBJECTS }, sessionId);
    return isOfPage;
  }

  /** Resolves to true for the context of a page's own scripts in any of its frames, and of a worker. */
  async #isOfPage(sessionId: string, context: number): Promise<boolean> {
    const object = { objectGroup: OBJECTS, serializationOptions: { serialization: 'idOnly' } };
    // Without a context, the browser uses the one of the main frame or of the worker.
    const main = await this.ask('Runtime.evaluate', { ...object, expression: '[]' }, sessionId);
    if (contextOf(main?.['result']) === context) return true;
    // The browser resolves a node in the context of the page's own scripts in the frame of the node.
    const inContext = { ...object, expression: 'document', contextId: context };
    const { objectId } = recordOf((await this.ask('Runtime.evaluate', inContext, sessionId))?.['result']);
    if (objectId === undefined) return false;
    const { node } = (await this.ask('DOM.describeNode', { objectId, depth: 0 }, sessionId)) ?? {};
    const { backendNodeId } = recordOf(node);
    if (backendNodeId === undefined) return false;
    const resolve = { backendNodeId, objectGroup: OBJECTS };
    const own = await this.ask('DOM.resolveNode', resolve, sessionId);
    return contextOf(own?.['object']) === context;
  }
}

/** Returns the context of an object by the object's id. Returns undefined if the value is not such an id. */
export function contextOfId(objectId: unknown): number | undefined {
  const [, context] = typeof objectId === 'string' ? (OBJECT_ID.exec(objectId) ?? []) : [];
  return context === undefined ? undefined : Number(context);
}

/** Returns the context of an object. Returns undefined if the value is not an object with an id. */
function contextOf(object: unknown): number | undefined {
  return contextOfId(recordOf(object)['objectId']);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
