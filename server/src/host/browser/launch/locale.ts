import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostSession } from '../../../host-protocol.js';
import { timeZoneOf } from './time-zone.js';

/**
 * Directory of Chromium's language packs. Chromium accepts a language only if the language has a file there.
 * Debian puts all languages except English into a separate package.
 */
const TEXTS = '/usr/lib/chromium/locales';
const ENGLISH = 'en-US';
const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Settings for the language and the country of a browser. */
export interface BrowserLocale {
  arguments: string[];
  environment: Record<string, string>;
  /**
   * Language packs for Chromium's directory. Maps the path inside the sandbox to the path outside. If empty,
   * the directory is not changed.
   */
  texts: Record<string, string>;
}

/**
 * Returns the settings for languages and a country. Languages go into `navigator.languages` and the
 * Accept-Language header. The first language and the country determine the format of dates and numbers. If a
 * country has only one time zone, the country also determines the time zone.
 */
export async function browserLocale({ languages, country }: HostSession['locale']): Promise<BrowserLocale> {
  const zone = country === null ? undefined : await timeZoneOf(country);
  // Always sets the zone. Otherwise every process of Chromium would search all zones for this machine's zone.
  const environment = { TZ: zone ?? OWN_ZONE };
  if (languages.length === 0 && country === null) return { arguments: [], environment, texts: {} };
  const locale = formatLocale(languages[0] ?? ENGLISH.slice(0, 2), country);
  return {
    arguments: [
      `--lang=${locale}`,
      ...(languages.length > 0 ? [`--accept-lang=${languages.join(',')}`] : [`--accept-lang=${ENGLISH},en`]),
    ],
    environment: { ...environment, LANGUAGE: locale },
    texts: textsFor(locale),
  };
}

/**
 * Returns the locale for formats. The language's own region has priority over the country: American English
 * stays American in Germany.
 */
function formatLocale(language: string, country: string | null): string {
  const { language: base, script, region } = new Intl.Locale(language);
  return [base, script, region ?? country].filter(Boolean).join('-');
}

/**
 * Returns the language packs to add. Without a pack, the user interface is English. Pages still use the
 * requested language.
 */
function textsFor(locale: string): Record<string, string> {
  if (existsSync(join(TEXTS, `${locale}.pak`))) return {};
  const english = join(TEXTS, `${ENGLISH}.pak`);
  const base = join(TEXTS, `${locale.split('-')[0]}.pak`);
  return {
    [english]: english,
    [join(TEXTS, `${locale}.pak`)]: existsSync(base) ? base : english,
  };
}
