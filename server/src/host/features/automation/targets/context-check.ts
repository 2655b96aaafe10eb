import { isRecord } from '../../../../platform/is-record.js';
import { resultOf } from '../browser-link.js';
import { RefusedCommand, type ClientCommand } from '../commands/messages.js';
import { contextOfId, UnreportedContexts, type Ask } from './unreported-contexts.js';
import { WorldFilter } from './world-filter.js';

/** Methods that run a script in the context of an object, or return further objects of it. */
const CALLS_ON_OBJECTS = new Set([
  'Runtime.awaitPromise',
  'Runtime.callFunctionOn',
  'Runtime.getProperties',
  'Runtime.queryObjects',
]);

/** Decides which contexts and isolated worlds the commands of a program may name. */
export class ContextCheck {
  readonly worlds = new WorldFilter();
  readonly #unreported: UnreportedContexts;
  /**
   * CDP sessions in which the program has enabled the domain `Runtime`, even if it has disabled it since. The
   * browser keeps the objects that it reported while the domain was enabled.
   */
  readonly #wereEnabled = new Set<string>();

  /** @param ask sends a command of the relay itself */
  constructor(ask: Ask) {
    this.#unreported = new UnreportedContexts(ask);
  }

  /**
   * Checks the names of worlds in a command, and the contexts if Chromium has reported them. Throws {@link
   * RefusedCommand}.
   */
  check(command: ClientCommand): void {
    const { method, params } = command;
    const names = [params['worldName'], params['executionContextName']];
    if (!names.every((name) => this.worlds.creates(name)))
      throw new RefusedCommand('invalidParams', `${method}: choose another name for the world.`);
    this.checkReported(command);
  }

  /**
   * Checks the contexts in a command, and the contexts of its objects, if Chromium has reported them. Throws
   * {@link RefusedCommand}.
   */
  checkReported(command: ClientCommand): void {
    const { sessionId } = command;
    if (sessionId === undefined || !this.worlds.isComplete(sessionId)) return;
    const contexts = this.#allContextsOf(command, sessionId);
    if (!contexts.every((id) => this.worlds.allows(sessionId, id))) throw unknownContext();
  }

  /**
   * Checks contexts in a command, and the contexts of its objects, that Chromium has not reported. Rejects
   * with {@link RefusedCommand}. Returns undefined if the command has none.
   */
  checkUnreported(command: ClientCommand): Promise<void> | undefined {
    const { sessionId } = command;
    if (sessionId === undefined || this.worlds.isComplete(sessionId)) return undefined;
    const contexts = this.#allContextsOf(command, sessionId);
    return contexts.length === 0 ? undefined : this.#allUnreported(sessionId, contexts);
  }

  /** Records a context that Chromium reports. Returns false if the program may not use it. */
  created(sessionId: string, context: unknown): boolean {
    if (!this.worlds.created(sessionId, context)) return false;
    if (!isRecord(context) || !isRecord(context['auxData'])) return true;
    const { id, name: worldName, auxData } = context;
    // The program may use the context also after it has disabled the domain.
    if (auxData['isDefault'] !== true) this.#unreported.record(sessionId, id, { ...auxData, worldName });
    return true;
  }

  /** Forgets a CDP session that has ended. */
  forget(sessionId: string): void {
    this.worlds.forget(sessionId);
    this.#unreported.forget(sessionId);
    this.#wereEnabled.delete(sessionId);
  }

  /** Records a command that is sent to a CDP session. */
  sent(method: string, sessionId: string): void {
    if (method === 'Runtime.enable') {
      this.worlds.enables(sessionId);
      this.#wereEnabled.add(sessionId);
    } else if (method === 'Runtime.disable') this.worlds.forget(sessionId);
  }

  /** Records the browser's answer to a command. */
  answered({ method, params, sessionId }: ClientCommand, text: string): void {
    if (sessionId === undefined) return;
    if (method === 'Runtime.enable') this.worlds.enabled(sessionId);
    else if (method === 'Runtime.disable') this.worlds.disabled(sessionId);
    if (method === 'Page.createIsolatedWorld')
      this.#unreported.record(sessionId, resultOf(text)?.['executionContextId'], params);
  }

  /** Returns the contexts in a command, and those of its objects if they may belong to another world. */
  #allContextsOf({ method, params }: ClientCommand, sessionId: string): unknown[] {
    const contexts = contextsOf(params);
    // While the domain is enabled, the browser also reports what other worlds write to the console, with the
    // ids of their objects.
    if (this.#wereEnabled.has(sessionId) && CALLS_ON_OBJECTS.has(method))
      contexts.push(...objectsOf(params).map(contextOfId));
    return contexts;
  }

  async #allUnreported(sessionId: string, contexts: readonly unknown[]): Promise<void> {
    for (const context of contexts)
      if (!(await this.#unreported.allows(sessionId, context))) throw unknownContext();
  }
}

/** Returns the contexts in the parameters of a command. */
function contextsOf(params: ClientCommand['params']): unknown[] {
  const ids = [params['contextId'], params['uniqueContextId'], params['executionContextId']];
  return ids.filter((id) => id !== undefined);
}

/** Returns the ids of the objects on which a command is performed. */
function objectsOf({ objectId, promiseObjectId, prototypeObjectId }: ClientCommand['params']): unknown[] {
  return [objectId, promiseObjectId, prototypeObjectId].filter((id) => id !== undefined);
}

function unknownContext(): RefusedCommand {
  return new RefusedCommand('refused', 'Cannot find context with specified id');
}
