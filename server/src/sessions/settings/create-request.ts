import { ROLES } from 'cloud-browser/protocol';
import { Type, type Static } from 'typebox';
import { exact, expected, numbersToo } from './expected.js';
import { FieldMasking } from './field-masking.js';
import { flag, limit, oneOf, text, warning } from './fields.js';
import type { ProfileRequest } from './profile-request.js';
import { REGIONS } from './region.js';
import { SEARCH_ENGINES, type SearchEngineName, type SearchEngineRequest } from './search-engines.js';
import { PIXEL_RATIOS, SCREEN_LIMITS } from '../../platform/screen-size.js';
import { DEFAULT_SETTINGS, FPS_LIMITS } from './session-settings.js';

const ENGINE_NAMES = Object.keys(SEARCH_ENGINES) as SearchEngineName[];
const MAX_URL_CHARS = 8192;
const MAX_SECRET_CHARS = 4096;

const side = (axis: string, standard: number) =>
  Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      default: standard,
      description: `${axis} of the remote screen in CSS pixels. Both sides are given or neither; at most 1920 x 1080 pixels in total. A side outside ${SCREEN_LIMITS.minSide} to ${SCREEN_LIMITS.maxSide} becomes the nearest within, with a warning.`,
      ...expected('a number of pixels above 0'),
    }),
  );

const pixelRatio = Type.Unsafe<number | 'auto'>({
  anyOf: [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', enum: ['auto'] },
  ],
  default: DEFAULT_SETTINGS.pixelRatio,
  description: `Pixels of the screen for one CSS pixel, ${PIXEL_RATIOS.min} to ${PIXEL_RATIOS.max}: 2 is sharp on a display with a ratio of 2. auto: the ratio of the first viewer. If the screen would have too many pixels, the ratio is lowered, with a warning.`,
  ...expected(`a number from ${PIXEL_RATIOS.min} to ${PIXEL_RATIOS.max}, or auto`),
});

const timeoutWebhook = Type.Object(
  {
    url: text(1, MAX_URL_CHARS, 'Receives an event for every timeout that ends the session.'),
    bearer: Type.Optional(text(1, MAX_SECRET_CHARS, 'Sent as bearer token with every event.')),
    warnings: flag(false, 'Also send an event for every warning.'),
  },
  { description: 'Endpoint for timeout events.' },
);

const timeout = Type.Object(
  {
    absolute: limit('Seconds after creation at which the session ends.', null),
    inactive: limit('Seconds without input of a person after which the session ends.', null),
    offline: limit('Seconds without a connected viewer after which the session ends.', 3600),
    warning: warning(DEFAULT_SETTINGS.timeout.warning),
    webhook: Type.Optional(timeoutWebhook),
  },
  { description: 'When the session ends by itself.' },
);

const profile = Type.Unsafe<ProfileRequest>({
  anyOf: [
    { type: 'boolean' },
    { type: 'string', maxLength: 100 },
    {
      type: 'object',
      properties: {
        load: { type: 'string', maxLength: 100, description: 'Id of the session whose profile is loaded.' },
        save: {
          anyOf: [{ type: 'boolean' }, { type: 'string', maxLength: 100 }],
          default: false,
          description: 'true: a new profile with the id of this session. An id: replaces that profile.',
          ...expected('true, false or a session id'),
        },
      },
    },
  ],
  description:
    'Browser state (bookmarks, history, passwords, cookies, tabs) to load and to save. true: a new profile. An id: loads and updates that one.',
  ...expected('true, false, a session id, or an object with load and save'),
});

const searchEngine = Type.Unsafe<SearchEngineRequest>({
  anyOf: [
    { type: 'string', enum: ENGINE_NAMES },
    {
      type: 'object',
      required: ['url'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        keyword: { type: 'string', minLength: 1, maxLength: 100 },
        url: { type: 'string', maxLength: MAX_URL_CHARS, description: 'Holds {searchTerms}.' },
        suggestions_url: { type: 'string', maxLength: MAX_URL_CHARS, description: 'Holds {searchTerms}.' },
      },
    },
  ],
  default: 'duckduckgo',
  description: 'Search engine of the address bar.',
  ...expected(
    `one of ${ENGINE_NAMES.join(', ')}, or an object with url and perhaps name, keyword, suggestions_url`,
  ),
});

const auth = Type.Object(
  {
    type: Type.Optional(
      oneOf(['token', 'webhook'], { default: 'token', description: 'Who decides about viewers.', ...exact }),
    ),
    value: Type.Optional(
      Type.Object({
        url: Type.Optional(text(1, MAX_URL_CHARS, 'Asked about each viewer; see the API guide.')),
        bearer: Type.Optional(
          text(1, MAX_SECRET_CHARS, 'Sent as bearer token, so that your endpoint can verify the request.'),
        ),
      }),
    ),
  },
  { description: 'Decides who may view: a token in the address, or your endpoint.', ...exact },
);

const httpProxy = Type.Object(
  {
    pac: text(1, 65_536, 'Address of a proxy auto-configuration script, or the script itself.'),
    username: Type.Optional(text(0, 1024, 'Name for the proxy.')),
    password: Type.Optional(text(0, 1024, 'Password for the proxy.')),
  },
  { description: 'Your own proxy for all pages.' },
);

/** The body of `POST /v0/vm`. Fields that are not listed are ignored. */
export const CreateRequest = Type.Object(
  {
    start_url: Type.Optional(
      text(
        1,
        MAX_URL_CHARS,
        'First address of the browser: http, https or about:. about:newtab and chrome://newtab are the new tab page. A bare domain is opened with https, one with a port with http. When unset and a profile is loaded, its tabs are opened again.',
        { default: DEFAULT_SETTINGS.startUrl },
      ),
    ),
    width: side('Width', DEFAULT_SETTINGS.width),
    height: side('Height', DEFAULT_SETTINGS.height),
    pixel_ratio: Type.Optional(pixelRatio),
    max_area: Type.Optional(
      Type.Number({
        description: `Largest area in pixels that viewers may resize the screen to, at most ${SCREEN_LIMITS.maxArea}. With a pixel_ratio these are pixels of the screen. Default: 1280 x 720 CSS pixels. Never less than the first area of the screen.`,
      }),
    ),
    fps: Type.Optional(
      Type.Number({
        minimum: FPS_LIMITS.min,
        maximum: FPS_LIMITS.max,
        default: DEFAULT_SETTINGS.fps,
        description: 'Frames a second; a whole number.',
        ...expected(`an integer from ${FPS_LIMITS.min} to ${FPS_LIMITS.max}`),
      }),
    ),
    kiosk: flag(false, 'Shows only the page, without toolbars.'),
    hide_cursor: flag(false, 'Never shows the pointer of the remote system.'),
    touch_gestures: Type.Optional(
      Type.Object(
        {
          swipe: flag(false, 'Swiping left and right goes through the history.'),
          pinch: flag(false, 'Two fingers zoom the page.'),
        },
        { description: 'Touch gestures that are turned on.' },
      ),
    ),
    adblock: flag(false, 'Blocks advertisements and trackers.'),
    ublock: flag(false, 'Deprecated name of adblock.'),
    draw: flag(false, 'Adds tools for drawing on pages.'),
    webgl: flag(false, 'Enables WebGL.'),
    dark: flag(false, 'Dark browser and dark pages.'),
    search_engine: Type.Optional(searchEngine),
    user_agent: Type.Optional(
      oneOf(['chrome_android'], { description: 'Pages see Chrome on an Android phone.' }),
    ),
    quality: Type.Optional(
      Type.Object({
        mode: Type.Optional(
          oneOf(['sharp', 'smooth', 'blocky'], {
            default: DEFAULT_SETTINGS.quality,
            description:
              'sharp: small text, three times the bandwidth. smooth: movement. blocky: poor connections.',
          }),
        ),
      }),
    ),
    locale: Type.Optional(
      Type.Object({
        language: Type.Optional(text(1, 500, 'Languages in the form of the Accept-Language header.')),
        country: Type.Optional(
          text(2, 2, 'ISO 3166 alpha-2 country code.', expected('a country code of two letters')),
        ),
      }),
    ),
    extension: Type.Optional(
      Type.Object(
        {
          field: text(
            1,
            100,
            'Name of the part of the multipart body that holds the zip or crx archive.',
            exact,
          ),
        },
        { description: 'Your own extension, at most 1 MB. Needs a multipart body.' },
      ),
    ),
    profile: Type.Optional(profile),
    timeout: Type.Optional(timeout),
    privacy_timeout: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        minimum: 0,
        default: 600,
        description:
          'Maximum seconds of privacy mode, in which one user has the browser alone. This user gets a warning before the end and may renew it. 0: no limit, with a warning.',
        ...expected('a number of seconds, 0 or more'),
      }),
    ),
    offline_timeout: limit('Deprecated form of timeout.offline.'),
    auth: Type.Optional(auth),
    control_disable_default: flag(false, 'Viewers cannot control the browser until an admin allows it.'),
    default_roles: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000, examples: [...ROLES] }), {
        maxItems: 50,
        description: `Roles of new viewers, out of ${ROLES.join(', ')}. Replaces the default roles. Unknown roles are ignored, with a warning.`,
        ...expected(`a list of roles out of ${ROLES.join(', ')}`),
      }),
    ),
    field_masking: Type.Optional(FieldMasking),
    tenant_id: Type.Optional(text(1, 256, 'Your own id, for counting usage.', numbersToo)),
    tag: Type.Optional(
      text(
        1,
        256,
        'If a session with this tag is running, the response contains that session instead of a new one.',
        numbersToo,
      ),
    ),
    region: Type.Optional(
      text(
        1,
        256,
        `Region of the session: one of ${REGIONS.join(', ')}, or the IP address of its user. Other values are ignored, with a warning.`,
      ),
    ),
    http_proxy: Type.Optional(httpProxy),
  },
  { description: 'Unknown fields are ignored. Null counts as omitted.' },
);
export type CreateRequest = Static<typeof CreateRequest>;
