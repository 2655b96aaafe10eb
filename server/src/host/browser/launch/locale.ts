import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostSession } from '../../../host-protocol.js';
import { timeZoneOf } from './time-zone.js';

/** Chromium takes a language only with a file of texts in it; Debian puts all but English into a package of their own. */
const TEXTS = '/usr/lib/chromium/locales';
const ENGLISH = 'en-US';
const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What makes a browser one of a language and a country. */
export interface BrowserLocale {
  arguments: string[];
  environment: Record<string, string>;
  /** Files of texts to put in Chromium's place for them: name to source. Empty: leave that place alone. */
  texts: Record<string, string>;
}

/**
 * Languages go into `navigator.languages` and the Accept-Language header. The first one and the country decide how dates
 * and numbers look; the country alone decides the time zone, where it has only one.
 */
export async function browserLocale({ languages, country }: HostSession['locale']): Promise<BrowserLocale> {
  const zone = country === null ? undefined : await timeZoneOf(country);
  // Always named: every process of Chromium would look through all zones for the one of this machine.
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

/** The language's own region counts more than the country: who asks for American English in Germany gets it. */
function formatLocale(language: string, country: string | null): string {
  const { language: base, script, region } = new Intl.Locale(language);
  return [base, script, region ?? country].filter(Boolean).join('-');
}

/** Without texts of its own, a language has English ones: pages are in it all the same. */
function textsFor(locale: string): Record<string, string> {
  if (existsSync(join(TEXTS, `${locale}.pak`))) return {};
  const english = join(TEXTS, `${ENGLISH}.pak`);
  const base = join(TEXTS, `${locale.split('-')[0]}.pak`);
  return {
    [english]: english,
    [join(TEXTS, `${locale}.pak`)]: existsSync(base) ? base : english,
  };
}
