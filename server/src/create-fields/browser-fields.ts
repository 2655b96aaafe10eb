import { Type } from 'typebox';
import { exact, expected } from './expected.js';
import { flag, oneOf, text } from './schema-parts.js';
import { MAX_URL_CHARS } from './limits.js';
import { SEARCH_ENGINES, type SearchEngineName, type SearchEngineRequest } from './values/search-engines.js';
import { browserFlag, row } from './field-row.js';

const ENGINE_NAMES = Object.keys(SEARCH_ENGINES) as SearchEngineName[];

/** Creation fields of the browser and its pages. */
export const BROWSER_FIELDS = {
  start_url: row({
    schema: text(1, MAX_URL_CHARS),
    standard: 'about:blank',
    about:
      'First address: http, https or about:. An address without a scheme is opened with https, or with http if it has a port, is an IP address, or is a name without dots. `about:newtab` and `chrome://newtab` open the new tab page, in upper or lower case. Without `start_url`, a loaded profile opens its own tabs.',
    host: { startUrl: 'later' },
  }),
  webgl: browserFlag('launch', 'Enables WebGL.'),
  touch_gestures: row({
    schema: Type.Object({
      swipe: flag(false, 'A swipe to the side goes back or forward.'),
      pinch: flag(false, 'Two fingers zoom the page.'),
    }),
    about: '`swipe`: a swipe goes back or forward. `pinch`: two fingers zoom the page.',
    links: 'See [touch.md](touch.md).',
    shown: { standard: 'both off' },
    host: { touchGestures: 'launch' },
  }),
  user_agent: row({
    schema: oneOf(['chrome_android']),
    about: '`chrome_android`: pages see Chrome on an Android phone.',
    shown: { standard: 'desktop' },
    host: { userAgent: 'launch' },
  }),
  locale: row({
    schema: Type.Object({
      language: Type.Optional(text(1, 500, 'Languages in the format of the Accept-Language header.')),
      country: Type.Optional(
        text(2, 2, 'ISO 3166 alpha-2 country code.', expected('a country code of two letters')),
      ),
    }),
    about: '`language`: a list in the format of the Accept-Language header. `country`: ISO 3166 alpha-2.',
    shown: { standard: "the machine's" },
    host: { locale: 'launch' },
  }),
  search_engine: row({
    schema: Type.Unsafe<SearchEngineRequest>({
      anyOf: [
        { type: 'string', enum: ENGINE_NAMES },
        {
          type: 'object',
          required: ['url'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 100 },
            keyword: { type: 'string', minLength: 1, maxLength: 100 },
            url: { type: 'string', maxLength: MAX_URL_CHARS, description: 'Contains {searchTerms}.' },
            suggestions_url: {
              ...{ type: 'string', maxLength: MAX_URL_CHARS },
              description: 'Contains {searchTerms}.',
            },
          },
        },
      ],
      ...expected(
        `one of ${ENGINE_NAMES.join(', ')}, or an object with url and perhaps name, keyword, suggestions_url`,
      ),
    }),
    standard: 'duckduckgo',
    about: `Search engine of the address bar: ${ENGINE_NAMES.map((name) => `\`${name}\``).join(', ')}. For another engine: \`{name, keyword, url, suggestions_url}\` with \`{searchTerms}\` in the addresses. Only \`url\` is required.`,
    host: { searchEngine: 'launch' },
  }),
  adblock: browserFlag('launch', 'Blocks advertisements and trackers.'),
  ublock: row({
    schema: Type.Boolean(),
    standard: false,
    about: 'Old name of `adblock`.',
    deprecated: true,
  }),
  draw: browserFlag('launch', 'Adds tools for drawing on pages.'),
  extension: row({
    schema: Type.Object({
      field: text(
        1,
        100,
        'Name of the part of the multipart body that contains the zip or crx archive.',
        exact,
      ),
    }),
    about:
      'Your own extension, at most 1 MB. Needs a multipart body. `field`: name of the part that contains the zip or crx archive.',
    links: 'The rules are below the table.',
    host: { extension: 'cold' },
  }),
  http_proxy: row({
    schema: Type.Object({
      pac: text(1, 65_536, 'Address of a proxy auto-configuration script, or the script itself.'),
      username: Type.Optional(text(0, 1024, 'User name for the proxy.')),
      password: Type.Optional(text(0, 1024, 'Password for the proxy.')),
    }),
    about:
      'Your proxy for all pages: `{pac, username, password}`. `pac` is a proxy auto-configuration script, or the address of one (http, https, data). The script defines `FindProxyForURL`, in the syntax of ES2017, and returns `PROXY`, `HTTPS`, `SOCKS` or `DIRECT`, at most 8 of them separated by `;`. The script gets `https` addresses without their path.',
    // The egress process applies the proxy. It serves a browser only after the browser was given to a
    // session, so the start of the browser does not depend on the proxy.
    host: { httpProxy: 'later' },
  }),
};
