import { ServiceError } from '../service-error.js';
import { normalizeStartUrl } from './start-url.js';

/** What a session is to be like: checked and complete. */
export interface SessionSettings {
  /** An http, https or about: address. */
  startUrl: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Frames a second, 24 to 60. */
  fps: number;
  kiosk: boolean;
  hideCursor: boolean;
}

/** What a customer asked for; every part may be missing. */
export type SessionWishes = { [K in keyof SessionSettings]?: SessionSettings[K] | undefined };

/** Bounds of a remote screen: each side in pixels, and both sides multiplied. */
export const SCREEN_LIMITS = { minSide: 256, maxSide: 3840, maxArea: 1920 * 1080 } as const;
/** Bounds of the frame rate. */
export const FPS_LIMITS = { min: 24, max: 60 } as const;

/** What a session is like when nothing is asked for. */
export const DEFAULT_SETTINGS: SessionSettings = {
  startUrl: 'about:blank',
  width: 1280,
  height: 720,
  fps: 24,
  kiosk: false,
  hideCursor: false,
};

/**
 * Completes what a customer asked for and applies the rules that span several fields; ranges of single fields are the
 * HTTP schema's. Throws {@link ServiceError} `err_invalid_parameter`.
 */
export function completeSettings(wishes: SessionWishes): SessionSettings {
  const { width, height } = wishes;
  if ((width === undefined) !== (height === undefined)) {
    const [missing, given] = width === undefined ? ['width', 'height'] : ['height', 'width'];
    throw new ServiceError('err_invalid_parameter', missing, `given as well when ${given} is`);
  }
  const settings: SessionSettings = {
    startUrl: wishes.startUrl === undefined ? DEFAULT_SETTINGS.startUrl : normalizeStartUrl(wishes.startUrl),
    width: width ?? DEFAULT_SETTINGS.width,
    height: height ?? DEFAULT_SETTINGS.height,
    fps: wishes.fps ?? DEFAULT_SETTINGS.fps,
    kiosk: wishes.kiosk ?? DEFAULT_SETTINGS.kiosk,
    hideCursor: wishes.hideCursor ?? DEFAULT_SETTINGS.hideCursor,
  };
  const area = settings.width * settings.height;
  if (area > SCREEN_LIMITS.maxArea) {
    const expected = `at most ${SCREEN_LIMITS.maxArea} pixels in total (1920 x 1080), not ${area}`;
    throw new ServiceError('err_invalid_parameter', 'width x height', expected);
  }
  return settings;
}
