import type { LitElement } from 'lit';
import type { CloudBrowserClient } from '../../core/index.js';
import type { Viewer } from '../../viewer/index.js';
import type { ElementWords } from '../lang/words/element-words.js';
import type { TimedNotice } from '../status/timed-notice.js';

/**
 * Defines when the remote page is mirrored for screen readers: never, after the user pressed a button
 * reachable by Tab, or always.
 */
export type AccessibilityMode = 'none' | 'ask' | 'mirror';

/** The part of the element that the mirror needs. */
export interface MirrorOwner extends LitElement {
  readonly accessibility: AccessibilityMode;
  readonly client: CloudBrowserClient | undefined;
  readonly viewer: Viewer | undefined;
  readonly words: ElementWords;
  readonly notices: TimedNotice;
}
