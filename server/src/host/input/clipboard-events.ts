import { Modifier } from 'cloud-browser/protocol';
import type { UserEvent } from './merge-events.js';

/** Keys that copy or cut while Control is held. `Delete` cuts while Shift is held. */
const COPY_KEYS = /^([cxCX]|Insert|Delete)$/;

/** True if the browser may copy or paste because of this event. */
export function presses(event: UserEvent): boolean {
  return event.type === 'key' || event.type === 'button'
    ? event.pressed
    : event.type === 'touch' && event.phase !== 'move';
}

/** True if an event is a shortcut that copies or cuts. */
export function copies(event: UserEvent): boolean {
  return (
    event.type === 'key' &&
    (event.modifiers & (Modifier.control | Modifier.shift)) !== 0 &&
    COPY_KEYS.test(event.key)
  );
}
