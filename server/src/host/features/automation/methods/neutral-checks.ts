import type { NeutralCheck } from './method-row.js';

/**
 * Source of a script without code. Playwright and Puppeteer add such a script to each page, because it
 * creates their isolated world.
 */
const NO_CODE = /^(?:\/\/[^\n\r\u2028\u2029]*)?$/;

/** Values of media features in a browser without emulation. */
const DEFAULT_FEATURES = new Set<unknown>(['', 'light', 'no-preference', 'none']);

/**
 * Checks for parameters that have no effect on a page without emulation. Playwright and Puppeteer call these
 * methods for each page. Without an answer, they cannot open the page.
 */
export const NEUTRAL = {
  /** For `Page.addScriptToEvaluateOnNewDocument`. */
  noCode: ({ source }) => typeof source === 'string' && NO_CODE.test(source),
  /** For `Emulation.setTouchEmulationEnabled`. */
  noTouch: ({ enabled }) => enabled === false,
  /** For `Network.setCacheDisabled`. */
  withCache: ({ cacheDisabled }) => cacheDisabled === false,
  /** For `Emulation.setEmulatedMedia`. */
  defaultMedia: ({ media, features }) => (media ?? '') === '' && areDefault(features ?? []),
} as const satisfies Record<string, NeutralCheck>;

function areDefault(features: unknown): boolean {
  if (!Array.isArray(features)) return false;
  return features.every(
    (feature: unknown) =>
      typeof feature === 'object' &&
      feature !== null &&
      'value' in feature &&
      DEFAULT_FEATURES.has(feature.value),
  );
}
