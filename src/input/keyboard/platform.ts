/** Keyboard conventions of the user's machine. */
export type Platform = 'mac' | 'windows' | 'other';

/** Detects the platform of the browser. iPads and iPhones follow the Mac's conventions. */
export function detectPlatform(navigator: Navigator = globalThis.navigator): Platform {
  const hints = (navigator as Navigator & { userAgentData?: { platform?: string } }).userAgentData;
  const name = hints?.platform || navigator.platform || navigator.userAgent;
  if (/mac|iphone|ipad|ipod/i.test(name)) return 'mac';
  return /win/i.test(name) ? 'windows' : 'other';
}
