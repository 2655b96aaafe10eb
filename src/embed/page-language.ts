import { spokenLanguage } from '../element/lang/languages.js';

/** Scripts that are written from right to left, of languages that are spoken by many; older browsers do not tell the direction. */
const RIGHT_TO_LEFT = /^(Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Syrc|Thaa)$/;

/**
 * The language of the embed page, which is a page of its own: what its address asks for, else the first of its viewer's languages that the
 * element speaks, else English.
 */
export function setPageLanguage(
  page: Pick<HTMLElement, 'lang' | 'dir'>,
  asked: string | null,
  languages: readonly string[],
): void {
  const wanted = asked ? [asked, ...languages] : languages;
  const lang = spokenLanguage(wanted) ?? 'en';
  if (asked && !spokenLanguage([asked]))
    console.warn(`This page has no words in "${asked}" and is in "${lang}". It speaks English and German.`);
  page.lang = lang;
  page.dir = RIGHT_TO_LEFT.test(new Intl.Locale(lang).maximize().script ?? '') ? 'rtl' : 'ltr';
}
