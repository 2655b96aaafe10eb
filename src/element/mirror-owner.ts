import type { LitElement } from 'lit';
import type { CloudBrowserClient } from '../core/index.js';
import type { Viewer } from '../viewer/index.js';
import type { ElementWords } from './lang/element-words.js';

/** Whether the remote page is mirrored for screen readers: always, when a user asks for it by a button that Tab finds, or never. */
export type AccessibilityMode = 'none' | 'ask' | 'mirror';

/** What the mirror needs of its element. */
export interface MirrorOwner extends LitElement {
  readonly accessibility: AccessibilityMode;
  readonly client: CloudBrowserClient | undefined;
  readonly viewer: Viewer | undefined;
  readonly words: ElementWords;
}
