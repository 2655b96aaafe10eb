import type { Viewer } from '../../viewer/index.js';

/** The part of the element that the mirror needs. */
export interface MirrorHost {
  /** Parent element of the mirror. */
  container: HTMLElement;
  viewer: () => Viewer | undefined;
  /** Text shown when the remote page does not respond. */
  silent: string;
}
