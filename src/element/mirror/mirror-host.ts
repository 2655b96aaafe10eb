import type { Viewer } from '../../viewer/index.js';

/** What the mirror needs of its element. */
export interface MirrorHost {
  /** Where the mirror is put. */
  container: HTMLElement;
  viewer: () => Viewer | undefined;
  /** Shown when the remote page does not answer. */
  silent: string;
}
