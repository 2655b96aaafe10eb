/** Texts of an error page in one language. */
export interface PageText {
  lang: string;
  title: string;
  message: string;
}

/**
 * German texts by the code of a failure, or by its code and rule. The English text is the message of the
 * error.
 */
const GERMAN: ReadonlyMap<string, Omit<PageText, 'lang'>> = new Map([
  [
    'err_egress_refused: connections',
    {
      title: 'Zu viele Verbindungen',
      message: 'Diese Sitzung hat zu viele Verbindungen. Einige ihrer Seiten schließen und erneut versuchen.',
    },
  ],
  [
    'err_egress_refused',
    {
      title: 'Nicht erlaubt',
      message:
        'Diese Adresse ist für Browser dieses Dienstes nicht offen. Der Betreiber kann sie mit EGRESS_ALLOW öffnen.',
    },
  ],
  [
    'err_egress_name',
    {
      title: 'Nicht gefunden',
      message: 'Zu diesem Namen ist keine Adresse bekannt, oder kein Name-Server hat geantwortet.',
    },
  ],
  ['err_egress_unreachable', { title: 'Nicht erreichbar', message: 'Dieser Host antwortet nicht.' }],
  [
    'err_egress_proxy',
    {
      title: 'Nicht erreichbar',
      message: 'Der Proxy dieser Sitzung erreicht diese Adresse nicht, oder es ist keine.',
    },
  ],
  [
    'err_egress_failed',
    {
      title: 'Nicht erreichbar',
      message: 'Die Antwort kann nicht weitergegeben werden. Später erneut versuchen.',
    },
  ],
]);

/**
 * Returns the text of a page. The language is English or German, whichever `Accept-Language` prefers. Without
 * a preference, it is English.
 *
 * @param detail code of the failure, possibly with its rule
 */
export function pageText(english: Omit<PageText, 'lang'>, detail: string, accepted = ''): PageText {
  const german = GERMAN.get(detail) ?? GERMAN.get(detail.replace(/:.*/, ''));
  const wanted = languagesOf(accepted).find((each) => each === 'en' || each === 'de');
  return german && wanted === 'de' ? { lang: 'de', ...german } : { lang: 'en', ...english };
}

/** Returns the languages of `Accept-Language` without regions, best first. */
function languagesOf(accepted: string): string[] {
  return accepted
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
      return { lang: tag.replace(/-.*/, ''), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ lang }) => lang);
}
