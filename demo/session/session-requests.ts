import type { Role } from '../../src/index.js';
import type { SessionRequest } from '../api.js';
import { SHOP_URL } from './welcome-url.js';
import { fitting, FOLLOWING } from '../view/screen-size.js';

/** Roles of everyone with the link: all that the demo needs. */
const ROLES: Role[] = ['chrome_apis', 'resize', 'control', 'clipboard_copy', 'file_upload', 'file_download'];

/** Values of the form on the first page that need no measurement. */
export interface FormChoices {
  fps: string;
  quality: string;
  kiosk: boolean;
  record: boolean;
}

/** Size fields of a request. */
export type SizeFields = Pick<SessionRequest, 'width' | 'height' | 'pixel_ratio' | 'max_area'>;

/**
 * Returns the request of the first page's form.
 * @param address empty for none
 */
export function formRequest(
  address: string,
  size: SizeFields,
  { fps, quality, kiosk, record }: FormChoices,
): SessionRequest {
  return {
    ...(address && { start_url: address }),
    ...size,
    fps: Number(fps),
    kiosk,
    quality: { mode: quality === 'sharp' ? 'sharp' : 'smooth' },
    default_roles: ROLES,
    ...(record && { record }),
  };
}

/**
 * Returns the size of a screen that fills the available space, with the pixel ratio of the page's own screen.
 * @param room available space in CSS pixels
 */
export function fittingSize(room: { width: number; height: number }, kiosk: boolean): SizeFields {
  return { ...fitting(room, kiosk), ...FOLLOWING };
}

/**
 * Returns the request of a session in which the demo's agent acts.
 *
 * @param room available space in CSS pixels
 */
export function agentRequest(room: { width: number; height: number }): SessionRequest {
  const choices = { fps: '60', quality: 'sharp', kiosk: true, record: true };
  return { ...formRequest(SHOP_URL, fittingSize(room, true), choices), automation: { name: 'Flower agent' } };
}

/**
 * Returns the request of the page for phones.
 *
 * @param address empty for none
 * @param room CSS pixels of the phone's screen
 * @param kiosk false for a session with tabs
 */
export function phoneRequest(
  address: string,
  room: { width: number; height: number },
  kiosk: boolean,
): SessionRequest {
  return {
    ...(address && { start_url: address }),
    ...fitting(room, kiosk),
    ...(kiosk && FOLLOWING),
    fps: 60,
    kiosk,
    default_roles: ROLES,
    touch_gestures: { pinch: true, swipe: true },
    // Pages alone use their phone version. With tabs around them they use the desktop version.
    ...(kiosk && { user_agent: 'chrome_android' as const }),
  };
}
