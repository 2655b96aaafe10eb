import { TargetMap, type FilterEntry } from './target-map.js';

/** State of a program's connection that several parts of the relay share. */
export class ProgramState {
  readonly targets = new TargetMap();
  /** Filter of `Target.setDiscoverTargets`. Undefined: the program gets no events of targets. */
  discovers: readonly FilterEntry[] | undefined;
  /** Settings of `Target.setAutoAttach` on the browser. Undefined: off. */
  attaches: { readonly filter: readonly FilterEntry[] } | undefined;
  /** True if the program gets events of downloads. */
  downloads = false;
}
