import { TargetMap, type FilterEntry } from '../targets/target-map.js';

/** Values of a program's sessions with the browser. The key undefined stands for the first session. */
type BySession<T> = Map<string | undefined, T>;

/** State of a program's connection that several parts of the relay share. */
export class ProgramState {
  readonly targets = new TargetMap();
  /**
   * Filters of `Target.setDiscoverTargets`. The keys are the sessions with the browser in which a program has
   * requested events about targets.
   */
  readonly discovers: BySession<readonly FilterEntry[]> = new Map();
  /**
   * Filters of `Target.setAutoAttach`. The keys are the sessions with the browser in which a program has
   * enabled automatic attaching.
   */
  readonly attaches: BySession<readonly FilterEntry[]> = new Map();
  /** Sessions with the browser that get events of downloads. */
  readonly downloads = new Set<string | undefined>();
  /** Sessions with pages that get lifecycle events of documents. */
  readonly lifecycles = new Set<string>();
  /** Sessions with pages and frames that have set media features. Used in dark sessions. */
  readonly media = new Set<string>();
  /** Sessions with pages that have enabled the emulation of a touch screen. */
  readonly touch = new Set<string>();
  /** Names of the isolated worlds that the program has created without the role `control`. */
  readonly idleWorlds = new Set<string>();

  /** Forgets a CDP session that has ended. */
  forget(sessionId: string): void {
    this.discovers.delete(sessionId);
    this.attaches.delete(sessionId);
    this.downloads.delete(sessionId);
    this.lifecycles.delete(sessionId);
    this.media.delete(sessionId);
    this.touch.delete(sessionId);
  }
}
