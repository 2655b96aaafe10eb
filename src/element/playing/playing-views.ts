/**
 * Views over a playing picture and the keyboard handling. `LatePlayingViews` loads this module when the
 * picture plays.
 */
import { copyStyles } from '../status/copy-view.js';
import { agentPointerStyles } from '../agents/agent-pointers.js';
import { dialogStyles } from '../dialogs/dialog.styles.js';
import { handoffStyles } from '../agents/handoff.styles.js';
import { fieldStyles } from './field.styles.js';
import { playingStyles } from './playing.styles.js';
import { keyboardButtonStyles } from '../keyboard/keyboard-button-view.js';

export { AgentPointers } from '../agents/agent-pointers.js';
export { DialogCard } from '../dialogs/dialog-card.js';
export { PlayingFoot } from './playing-foot.js';
export { KeyboardNavigation } from '../keyboard/keyboard-navigation.js';
export { keyboardButtonView, mayType } from '../keyboard/keyboard-button-view.js';
export const styles = [
  playingStyles,
  copyStyles,
  keyboardButtonStyles,
  fieldStyles,
  handoffStyles,
  agentPointerStyles,
  dialogStyles,
];
