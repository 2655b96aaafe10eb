import type { Rect } from '../../../capture/frame-source.js';
import type { ScreenSource } from '../../../capture/screen-source.js';

/** The contents of a display. The caller that opens it must close it. */
export type OpenedScreen = Pick<
  ScreenSource,
  'width' | 'height' | 'damaged' | 'onDamage' | 'read' | 'ended' | 'close'
>;

/** The screen of a browser, and the places of its masked fields. */
export interface MaskedScreen {
  openScreen(): Promise<OpenedScreen>;
  /**
   * Returns the places of masked fields, and with `passwords` also the places of password fields. Resolves to
   * `unknown` if a page does not answer.
   */
  maskedAreas(options?: { passwords: boolean }): Promise<Rect[] | 'unknown'>;
}
