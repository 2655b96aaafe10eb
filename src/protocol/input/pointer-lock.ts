/**
 * Host to viewer: a page of the remote browser has locked or released the pointer. While the pointer is
 * locked, the page needs mouse distances instead of positions. So a viewer locks its own pointer in a user
 * gesture and sends `relative` moves. Sent to users whose input the host accepts.
 */
export interface PointerLock {
  type: 'pointer-lock';
  locked: boolean;
}

/** Viewer to host: the user has released the local pointer lock, so the page's lock must also end. */
export interface LeavePointerLock {
  type: 'leave-pointer-lock';
}
