import { spokenLanguage } from '../element/lang/languages.js';

/**
 * ISO 15924 codes of writing systems that run from right to left. Older browsers do not report the direction.
 */
const RIGHT_TO_LEFT = /^(Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Syrc|Thaa)$/;

/**
 * Sets the language of the embed page. Uses the language in its address, then the first of the viewer's
 * languages that the element supports, then English.
 */
export function setPageLanguage(
  page: Pick<HTMLElement, 'lang' | 'dir'>,
  asked: string | null,
  languages: readonly string[],
): void {
  const wanted = asked ? [asked, ...languages] : languages;
  const lang = spokenLanguage(wanted) ?? 'en';
  if (asked && !spokenLanguage([asked]))
    console.warn(
      `This page has no texts in "${asked}" and uses "${lang}". It has texts in English and German.`,
    );
  page.lang = lang;
  page.dir = RIGHT_TO_LEFT.test(new Intl.Locale(lang).maximize().script ?? '') ? 'rtl' : 'ltr';
}
