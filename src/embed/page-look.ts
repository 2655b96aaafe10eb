const THEMES = ['dark', 'light', 'auto'] as const;

/**
 * The colours of the embed page around and over the picture. `auto`: the colours that the user's system
 * prefers.
 */
export type Theme = (typeof THEMES)[number];

/**
 * Reads `theme` and `controls` from the embed page's own address. Invalid values are ignored and logged in
 * the console.
 */
export function lookOf(asked: URLSearchParams): { theme: Theme; controls: boolean } {
  const [theme, controls] = [asked.get('theme') ?? 'dark', asked.get('controls') ?? '1'];
  const known = THEMES.find((each) => each === theme);
  if (!known) console.warn(`This page has no theme "${theme}": it has ${THEMES.join(', ')}.`);
  if (controls !== '0' && controls !== '1') console.warn(`"controls" is 0 or 1, not "${controls}".`);
  return { theme: known ?? 'dark', controls: controls !== '0' };
}
