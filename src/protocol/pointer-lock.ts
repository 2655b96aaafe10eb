/**
 * Host to viewer: a page of the remote browser has locked the pointer, or not any more. It wants to know how far the mouse moves
 * and not where it is: so a viewer locks its own pointer in a gesture, and sends `relative` moves. Told to users whose input counts.
 */
export interface PointerLock {
  type: 'pointer-lock';
  locked: boolean;
}

/** Viewer to host: the user has left the local lock, so the page is to lose its own. */
export interface LeavePointerLock {
  type: 'leave-pointer-lock';
}
