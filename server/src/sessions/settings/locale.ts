import { invalidParameter, type ServiceError } from '../../service-error.js';

/** Maximum number of languages. More languages are of no use to any site. */
const MAX_LANGUAGES = 20;
const REGION_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * Parses a list of languages in the form of the Accept-Language header. Returns the languages in canonical
 * BCP 47 form, best first. The order follows the weights. Languages of weight 0 and `*` are left out. Throws
 * {@link ServiceError} `err_invalid_parameter`.
 */
export function languagesOf(header: string): string[] {
  const weighed = header
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(weighedLanguage)
    .filter(({ tag, weight }) => tag !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const tags = [...new Set(weighed.map(({ tag }) => tag))];
  if (tags.length === 0 || tags.length > MAX_LANGUAGES) throw languageError();
  return tags;
}

/** Returns an ISO 3166 alpha-2 code in upper case. Throws {@link ServiceError} `err_invalid_parameter`. */
export function countryOf(text: string): string {
  const code = text.trim().toUpperCase();
  // `REGION_NAMES` also has a name for ZZ ("Unknown Region"), so ZZ is excluded here.
  const known = /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && REGION_NAMES.of(code) !== undefined;
  if (!known) throw invalidParameter('locale.country', 'an ISO 3166 alpha-2 country code, such as CH');
  return code;
}

function weighedLanguage(part: string): { tag: string; weight: number } {
  const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
  const weight = parameters.length === 0 ? 1 : weightOf(parameters);
  if (range === '*') return { tag: range, weight };
  try {
    const [tag] = Intl.getCanonicalLocales(range);
    if (tag === undefined) throw languageError();
    return { tag, weight };
  } catch {
    throw languageError();
  }
}

/** Returns a weight: 0 to 1 with at most three decimals (RFC 9110). */
function weightOf(parameters: string[]): number {
  const text = /^q=([01](?:\.\d{0,3})?)$/i.exec(parameters[0] ?? '')?.[1];
  const weight = Number(text);
  if (parameters.length > 1 || text === undefined || weight > 1) throw languageError();
  return weight;
}

function languageError(): ServiceError {
  return invalidParameter(
    'locale.language',
    `a list of 1 to ${MAX_LANGUAGES} languages in the form of the Accept-Language header, such as "de-CH, de, en"`,
  );
}
