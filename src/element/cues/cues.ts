/**
 * Views over a playing picture and the keyboard handling. `LateCues` loads this module when the picture
 * plays.
 */
import { copyStyles } from '../status/copy-view.js';
import { agentPointerStyles } from '../agents/agent-pointers.js';
import { handoffStyles } from '../agents/handoff-view.js';
import { cuesStyles } from './cues.styles.js';
import { keyboardButtonStyles } from '../keyboard/keyboard-button-view.js';

export { AgentPointers } from '../agents/agent-pointers.js';
export { copyView } from '../status/copy-view.js';
export { cuesView } from './cues-view.js';
export { KeyboardManners } from '../keyboard/keyboard-manners.js';
export { keyboardButtonView } from '../keyboard/keyboard-button-view.js';
export const styles = [cuesStyles, copyStyles, keyboardButtonStyles, handoffStyles, agentPointerStyles];
