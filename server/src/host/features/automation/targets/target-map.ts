import { isRecord } from '../../../../platform/is-record.js';

/** A target as Chromium describes it. Other properties are passed on unchanged. */
export interface TargetDescription extends Readonly<Record<string, unknown>> {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/** An entry of a target filter. The first entry that matches a type decides. */
export interface FilterEntry {
  readonly type?: string;
  readonly exclude?: boolean;
}

/** Filter that Chromium uses if a command has none. */
export const DEFAULT_FILTER: readonly FilterEntry[] = [
  { type: 'browser', exclude: true },
  { type: 'tab', exclude: true },
  {},
];

/** Type of the browser's own target. */
export const BROWSER = 'browser';
/** Types of targets that programs can reach. */
const VISIBLE_TYPES = new Set(['page', 'iframe', 'worker', 'shared_worker', 'service_worker', 'tab']);
/** Addresses of the browser's own pages, of extension pages and of files, also inside a `blob:` address. */
const HIDDEN_ADDRESS =
  /^(?:blob:|filesystem:)*(?:chrome|chrome-untrusted|chrome-extension|chrome-search|devtools|view-source|file):/i;
/** Maximum number of entries of a filter. */
const MAX_FILTER_ENTRIES = 50;
/** Maximum length of a type in a filter, in characters. Chromium's types are shorter. */
const MAX_TYPE_CHARS = 100;

/** True if programs can reach a target. */
export function isVisible({ type, url }: TargetDescription): boolean {
  return VISIBLE_TYPES.has(type) && !HIDDEN_ADDRESS.test(url.trim());
}

/** True if a filter includes a type of targets. */
export function includes(filter: readonly FilterEntry[], type: string): boolean {
  const entry = filter.find((one) => one.type === undefined || one.type === type);
  return entry !== undefined && entry.exclude !== true;
}

/** Reads a filter. Returns undefined if it is invalid. */
export function readFilter(value: unknown): FilterEntry[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_FILTER_ENTRIES) return undefined;
  const entries: FilterEntry[] = [];
  for (const entry of value) {
    if (!isRecord(entry)) return undefined;
    const { type, exclude } = entry;
    if (type !== undefined && (typeof type !== 'string' || type.length > MAX_TYPE_CHARS)) return undefined;
    if (exclude !== undefined && typeof exclude !== 'boolean') return undefined;
    entries.push({ ...(type !== undefined && { type }), ...(exclude !== undefined && { exclude }) });
  }
  return entries;
}

/** Reads a description of a target. Returns undefined if the value is not a description. */
export function readTarget(value: unknown): TargetDescription | undefined {
  if (!isRecord(value)) return undefined;
  const { targetId, type, url } = value;
  if (typeof targetId !== 'string' || typeof type !== 'string' || typeof url !== 'string') return undefined;
  return { ...value, targetId, type, url };
}

/**
 * Returns the description of the browser. Its target id is the id of the program's first session with the
 * browser.
 */
export function browserTarget(targetId: string): TargetDescription {
  return { targetId, type: BROWSER, title: '', url: '', attached: true, canAccessOpener: false };
}

/** A CDP session of a program with a target. */
export interface TargetSession {
  readonly id: string;
  readonly targetId: string;
  readonly type: string;
  /** Id of the CDP session that attached this one: a session with the browser, or with another target. */
  readonly parent: string;
}

/** The targets of the browser, and the CDP sessions that a program has with them. */
export class TargetMap {
  readonly #targets = new Map<string, TargetDescription>();
  readonly #sessions = new Map<string, TargetSession>();

  /** Records a new target or a change. */
  set(target: TargetDescription): void {
    this.#targets.set(target.targetId, target);
  }

  /** Forgets a target that is gone. Returns its last description. */
  remove(targetId: string): TargetDescription | undefined {
    const target = this.#targets.get(targetId);
    this.#targets.delete(targetId);
    return target;
  }

  /** Returns a target that exists, even if programs cannot reach it. */
  known(targetId: string): TargetDescription | undefined {
    return this.#targets.get(targetId);
  }

  /** Returns a target that programs can reach. */
  target(targetId: unknown): TargetDescription | undefined {
    const target = typeof targetId === 'string' ? this.#targets.get(targetId) : undefined;
    return target && isVisible(target) ? target : undefined;
  }

  /** Returns the targets that programs can reach. */
  visible(filter: readonly FilterEntry[]): TargetDescription[] {
    return [...this.#targets.values()].filter((target) => isVisible(target) && includes(filter, target.type));
  }

  attach(session: TargetSession): void {
    this.#sessions.set(session.id, session);
  }

  /** Forgets a session and the sessions that it attached. Returns all of them. */
  detach(sessionId: string): TargetSession[] {
    const session = this.#sessions.get(sessionId);
    if (!session) return [];
    this.#sessions.delete(sessionId);
    const children = [...this.#sessions.values()].filter(({ parent }) => parent === sessionId);
    return [session, ...children.flatMap(({ id }) => this.detach(id))];
  }

  session(id: string): TargetSession | undefined {
    return this.#sessions.get(id);
  }

  /** True for a session with the browser. Undefined stands for the program's first session. */
  isBrowser(id: string | undefined): boolean {
    return id === undefined || this.#sessions.get(id)?.type === BROWSER;
  }

  /** Returns all sessions, or those with one target. */
  sessions(targetId?: string): TargetSession[] {
    const all = [...this.#sessions.values()];
    return targetId === undefined ? all : all.filter((session) => session.targetId === targetId);
  }
}
