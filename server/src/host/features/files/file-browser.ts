import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { BrowserFiles } from '../../browser/files/browser-files.js';
import type { Printable } from './downloads/prints.js';

/** The functions of a browser that the file services need. */
export interface FileBrowser extends Printable {
  files: BrowserFiles;
  /**
   * Drops files at a place of the screen. Resolves to the page at that place, or to undefined if no page
   * accepted the files.
   */
  drop(at: { x: number; y: number }, paths: readonly string[]): Promise<CdpSession | undefined>;
}
