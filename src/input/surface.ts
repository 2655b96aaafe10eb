import type { InputWithoutSeq } from '../protocol/index.js';

/** A position on the remote screen, in its pixels. */
export interface RemotePoint {
  x: number;
  y: number;
}

/** Where input comes from, where it goes, and how the one maps onto the other. */
export interface InputTarget {
  /** The element that shows the remote screen. It must be able to hold a child: the keyboard's text field. */
  readonly surface: HTMLElement;
  /** From client coordinates of the page to the remote screen; null where there is no remote screen. */
  toRemote(clientX: number, clientY: number): RemotePoint | null;
  /** CSS pixels of the page per remote pixel, above 0. */
  scale(): number;
  /** The remote screen's size in its pixels. */
  remoteSize(): { width: number; height: number };
  /** Takes an event to be sent now, in the order of the calls. */
  send(event: InputWithoutSeq): void;
}

/**
 * The position on the remote screen that is nearest to a point of the page: a drag goes on when the pointer leaves the
 * picture. Null as long as there is no picture at all.
 */
export function nearestRemote(target: InputTarget, clientX: number, clientY: number): RemotePoint | null {
  const direct = target.toRemote(clientX, clientY);
  if (direct) return direct;
  const box = target.surface.getBoundingClientRect();
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const origin = target.toRemote(middle.x, middle.y);
  if (!origin) return null;
  const scale = target.scale();
  const { width, height } = target.remoteSize();
  return {
    x: clamp(origin.x + (clientX - middle.x) / scale, width),
    y: clamp(origin.y + (clientY - middle.y) / scale, height),
  };
}

function clamp(value: number, size: number): number {
  return Math.max(0, Math.min(size - 1, Math.floor(value)));
}
