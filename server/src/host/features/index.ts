import { accessibility } from './accessibility/accessibility.js';
import { automation } from './automation/automation.js';
import { clipboard } from './clipboard/clipboard.js';
import { computer } from './computer/computer.js';
import { dialogs } from './dialogs/dialogs.js';
import type { MakeFeature } from './feature.js';
import { files } from './files/files.js';
import { focus } from './focus/focus.js';
import { handoffs } from './handoffs/handoffs.js';
import { pointerLock } from './pointer-lock/pointer-lock.js';
import { pointers } from './pointers/pointers.js';
import { privacy } from './privacy/privacy.js';
import { recording } from './recording/recording.js';
import { sizing } from './sizing/sizing.js';
import { tabs } from './tabs/tabs.js';

/**
 * The features of a session, in the order in which they receive events. Privacy is first, because it decides
 * what the other features may show. `README.md` says how to add and remove a feature.
 */
export const FEATURES: readonly MakeFeature[] = [
  privacy,
  focus,
  pointers,
  handoffs,
  dialogs,
  pointerLock,
  sizing,
  clipboard,
  files,
  tabs,
  accessibility,
  computer,
  automation,
  recording,
];
