import { isRecord } from '../../../../platform/is-record.js';

/**
 * Names of the isolated worlds in which the session's own scripts run. A program may not create worlds with
 * such names.
 */
const OWN_WORLDS = /^session(?:-|$)/;
/** Name of an isolated world for which the program has given none. */
const UNNAMED = 'program';
/**
 * Maximum number of names of isolated worlds that are remembered for one program. Some clients use a random
 * name for each document.
 */
const MAX_NAMES = 1_000;
/**
 * Maximum number of such names of a program without the role `control`. Each world takes memory of its page.
 * Clients create a world when they connect, but cannot use it without the role.
 */
const MAX_IDLE_NAMES = 20;
/** Maximum length of such a name in characters. The host remembers the names. */
const MAX_NAME_CHARS = 1_000;

/**
 * Returns the parameters of a command so that its answer agrees with the worlds that the program may use.
 * - An isolated world gets a name. The filter knows the worlds of a program by their names, so without a name
 *   it would hide the world from the program.
 * - Listeners of events are those of the object's own world. With `pierce`, the browser would return
 *   functions of all worlds, and a program could run scripts in these worlds by them.
 *
 * @param idleNames names of the worlds that a program without the role `control` has created. Undefined for a
 *   program with the role
 */
export function ofOwnWorlds(
  method: string,
  params: Readonly<Record<string, unknown>>,
  idleNames?: Set<string>,
): Readonly<Record<string, unknown>> {
  if (method === 'DOMDebugger.getEventListeners') return { ...params, pierce: false };
  const { worldName = '' } = params;
  if (idleNames && typeof worldName === 'string' && worldName !== '') {
    if (idleNames.size >= MAX_IDLE_NAMES && !idleNames.has(worldName))
      return { ...params, worldName: UNNAMED };
    if (worldName.length <= MAX_NAME_CHARS) idleNames.add(worldName);
  }
  if (method !== 'Page.createIsolatedWorld' || worldName !== '') return params;
  return { ...params, worldName: UNNAMED };
}

/**
 * Execution contexts that a program may use: the contexts of pages and workers, and the isolated worlds that
 * the program created. The session's own scripts and the scripts of extensions run in other contexts of the
 * same pages. A program with access to these contexts could read masked fields and write to them.
 */
export class WorldFilter {
  /** Names of the program's isolated worlds. The one that was not used for the longest time is first. */
  readonly #names = new Set<string>();
  /**
   * Ids of the contexts that the program knows, by CDP session. Only for sessions in which the program has
   * enabled the domain `Runtime`. In other sessions, Chromium does not report that a context is gone.
   */
  readonly #known = new Map<string, Set<number | string>>();
  /** CDP sessions in which Chromium has reported all contexts. It then reports each change. */
  readonly #complete = new Set<string>();

  /**
   * Records the name of an isolated world that the program creates. Returns false if the program may not
   * create it.
   */
  creates(name: unknown): boolean {
    if (typeof name !== 'string' || name === '') return true;
    if (OWN_WORLDS.test(name) || name.length > MAX_NAME_CHARS) return false;
    this.#use(name);
    return true;
  }

  /** Records that the program enables the domain `Runtime` in a CDP session. */
  enables(sessionId: string): void {
    if (!this.#known.has(sessionId)) this.#known.set(sessionId, new Set());
  }

  /** Records that Chromium has reported all contexts of a CDP session in which the domain is enabled. */
  enabled(sessionId: string): void {
    if (this.#known.has(sessionId)) this.#complete.add(sessionId);
  }

  /**
   * Records that Chromium has disabled the domain `Runtime` in a CDP session. The program may already have
   * enabled it again. Chromium does not report the end of the contexts that it reported before, but the later
   * command makes it report all contexts again.
   */
  disabled(sessionId: string): void {
    this.#known.get(sessionId)?.clear();
    this.#complete.delete(sessionId);
  }

  /** True if Chromium has reported all contexts of a CDP session. */
  isComplete(sessionId: string): boolean {
    return this.#complete.has(sessionId);
  }

  /** Records a new context. Returns false if the program may not use it. */
  created(sessionId: string, context: unknown): boolean {
    if (!isRecord(context) || !this.#isAllowed(context)) return false;
    const { id, uniqueId } = context;
    for (const known of [id, uniqueId])
      if (typeof known === 'number' || typeof known === 'string') this.#known.get(sessionId)?.add(known);
    return true;
  }

  /** Forgets a context that is gone. Returns false if the program does not know it. */
  destroyed(
    sessionId: string,
    { executionContextId, executionContextUniqueId }: Record<string, unknown>,
  ): boolean {
    const known = this.#known.get(sessionId);
    for (const id of [executionContextUniqueId, executionContextId])
      if ((typeof id === 'number' || typeof id === 'string') && known?.delete(id) !== true) return false;
    return true;
  }

  /** Forgets the contexts of a CDP session, because its document was replaced. */
  cleared(sessionId: string): boolean {
    this.#known.get(sessionId)?.clear();
    return true;
  }

  /** Forgets a CDP session that has ended, or in which the program disables the domain `Runtime`. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId);
    this.#complete.delete(sessionId);
  }

  /** True if the program may use a context that Chromium has reported. */
  allows(sessionId: string, id: unknown): boolean {
    return (typeof id === 'number' || typeof id === 'string') && this.#known.get(sessionId)?.has(id) === true;
  }

  #isAllowed({ name, origin, auxData }: Record<string, unknown>): boolean {
    if (typeof origin === 'string' && origin.startsWith('chrome-extension:')) return false;
    if (!isRecord(auxData) || auxData['isDefault'] === true) return true;
    if (typeof name !== 'string' || !this.#names.has(name)) return false;
    this.#use(name);
    return true;
  }

  #use(name: string): void {
    this.#names.delete(name);
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
  }
}
