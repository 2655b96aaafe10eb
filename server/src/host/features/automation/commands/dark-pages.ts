import { isRecord } from '../../../../platform/is-record.js';
import type { ProgramState } from '../programs/program-state.js';
import type { ClientCommand } from './messages.js';

const COLOR_SCHEME = 'prefers-color-scheme';
/**
 * Features and values that Playwright sets for each page and frame when it attaches, unless it connects with
 * `noDefaults`. A script that only wants a light page, for example with Puppeteer, sets the scheme alone.
 */
const PLAYWRIGHT_DEFAULTS: readonly (readonly [name: string, value: string])[] = [
  [COLOR_SCHEME, 'light'],
  ['prefers-reduced-motion', 'no-preference'],
  ['forced-colors', 'none'],
];

/**
 * Returns the parameters of a command, so that the pages of a dark session stay dark when a program connects.
 * The first `Emulation.setEmulatedMedia` of a CDP session with Playwright's defaults keeps the scheme of the
 * session, because these defaults are not a wish of the program, and people see the page too. Later commands
 * are wishes, such as `page.emulateMedia({ colorScheme: 'light' })`. Without the role `control`, a program
 * has no such wishes.
 */
export function keepDark(
  { method, params, sessionId = '' }: ClientCommand,
  { media }: Pick<ProgramState, 'media'>,
  mayAct: boolean,
): ClientCommand['params'] {
  if (method !== 'Emulation.setEmulatedMedia') return params;
  const isFirst = !media.has(sessionId);
  media.add(sessionId);
  const { features } = params;
  if (!Array.isArray(features) || (mayAct && !(isFirst && isOfPlaywright(features)))) return params;
  return { ...params, features: features.map(withoutLight) };
}

function isOfPlaywright(features: readonly unknown[]): boolean {
  return PLAYWRIGHT_DEFAULTS.every(([name, value]) =>
    features.some((one) => isRecord(one) && one['name'] === name && one['value'] === value),
  );
}

/** Replaces the light scheme with that of the browser. An empty value means no emulation. */
function withoutLight(feature: unknown): unknown {
  if (!isRecord(feature) || feature['name'] !== COLOR_SCHEME || feature['value'] !== 'light') return feature;
  return { ...feature, value: '' };
}
