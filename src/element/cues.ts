/** What may lie over a picture that plays, and what decides about some of it: loaded when it does, see `LateCues`. */
import { copyStyles } from './copy-view.js';
import { cuesStyles } from './cues.styles.js';
import { keyboardButtonStyles } from './keyboard-button-view.js';

export { copyView } from './copy-view.js';
export { cuesView } from './cues-view.js';
export { KeyboardManners } from './keyboard-manners.js';
export { keyboardButtonView } from './keyboard-button-view.js';
export const styles = [cuesStyles, copyStyles, keyboardButtonStyles];
