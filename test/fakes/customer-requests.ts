import fc from 'fast-check';

/** A field's value. `refused`: the beginning of the error message, if a rule of the API forbids the value. */
interface Wish {
  value: unknown;
  refused?: string;
}
interface Chosen extends Wish {
  field: string;
}
const fine = (...values: unknown[]): Wish[] => values.map((value) => ({ value }));
const never = (field: string, ...values: unknown[]): Wish[] =>
  values.map((value) => ({ value, refused: `${field} must be ` }));

/** A profile that the service must know. */
export const PROFILE = '4f1d1c1a-0000-4000-8000-000000000000';

const NOTHING = fine(null, null, '');
const FLAG = [...NOTHING, ...fine(true, false, 'true', 'False', 1, '0')];
const flagOf = (field: string) => [...FLAG, ...never(field, 'maybe', [], 7)];
const RULE = { matches: ['*://example.com/*'], selectors: ['input'] };

/** Values of customers' requests, and values that the API refuses. */
const FIELDS: Record<string, Wish[]> = {
  start_url: [
    ...fine(null, '', 'example.com', 'https://example.com/', 'about:blank', 'about:newtab'),
    ...fine('chrome://newtab', ' CHROME://NewTab/ '),
    ...never('start_url', 'javascript:alert(1)', 'file:///etc/passwd', 'chrome://settings', {}),
  ],
  kiosk: flagOf('kiosk'),
  hide_cursor: flagOf('hide_cursor'),
  adblock: flagOf('adblock'),
  ublock: flagOf('ublock'),
  draw: flagOf('draw'),
  webgl: flagOf('webgl'),
  dark: flagOf('dark'),
  standby: flagOf('standby'),
  control_disable_default: flagOf('control_disable_default'),
  fps: [...NOTHING, ...fine(24, 60, '30', 29.97), ...never('fps', 10, 'fast', '61')],
  max_area: [...NOTHING, ...fine(1, '921600', 9e9, -1), ...never('max_area', 'all', [])],
  pixel_ratio: [...NOTHING, ...fine(2, '1.5', 'auto', 9), ...never('pixel_ratio', 'fine', 0, true)],
  user_agent: [...NOTHING, ...fine('chrome_android'), ...never('user_agent', 'firefox')],
  quality: [
    ...fine(null, {}, { mode: null }, { mode: '' }, { mode: 'sharp', more: 1 }),
    ...never('quality.mode', { mode: 'best' }),
  ],
  touch_gestures: [
    ...fine(null, {}, { swipe: null }, { swipe: 'true', pinch: true }),
    ...never('touch_gestures.pinch', { pinch: 'far' }),
  ],
  locale: [
    ...fine(null, { language: null, country: '' }, { language: 'de-CH, de', country: 'ch' }),
    ...never('locale.country', { country: 'XX1' }),
  ],
  search_engine: [
    ...fine(null, '', 'ecosia', { url: 'https://example.com/?q={searchTerms}', name: null }),
    ...never('search_engine', 'nowhere'),
  ],
  profile: [
    ...fine(null, false, 'false', {}, { load: null, save: null }, { load: PROFILE, save: 'false' }),
    ...never('profile', 7, 'mine'),
    ...never('profile.load', { load: 'mine' }),
  ],
  timeout: [
    ...fine(null, {}, { absolute: null, warning: null, webhook: null }, { offline: '3600', inactive: 60 }),
    ...fine({ webhook: { url: 'https://example.com/', bearer: null } }, { webhook: { url: null } }),
    ...fine({ absolute: 0, inactive: '0', offline: 315_360_000 }),
    ...never('timeout.absolute', { absolute: 'soon' }, { absolute: -1 }),
    ...never('timeout.webhook.url', { webhook: { bearer: 'b' } }),
  ],
  offline_timeout: [...fine(null, 0, 600, '600', 1e9), ...never('offline_timeout', 'never', -1)],
  auth: [
    ...fine(null, {}, { type: null }, { type: 'token', value: null }),
    ...fine({ type: 'webhook', value: { url: 'https://example.com/', bearer: 'b' } }),
    ...never('auth.type', { type: 'password' }, { type: '' }),
    ...never('auth.value', { type: 'webhook', value: null }),
  ],
  default_roles: [
    ...fine(null, [], ['control'], ['programmatic_navigation', 'resize']),
    ...never('default_roles', 'control'),
  ],
  field_masking: [
    ...fine(null, [], [RULE]),
    ...never('field_masking', 'all', {}),
    ...never('field_masking.0', ['x']),
    ...never('field_masking.0.matches', [{ selectors: ['input'] }]),
  ],
  tenant_id: [...NOTHING, ...fine('acme', 42), ...never('tenant_id', {}, true)],
  tag: [...NOTHING, ...never('tag', ['a'])],
  region: [...NOTHING, ...fine('NA', 'eu', '192.0.2.1', 'us-east'), ...never('region', 5)],
  http_proxy: [
    ...fine(null, {}, { pac: null, username: null }, { pac: 'https://example.com/proxy.pac', password: '' }),
    ...never('http_proxy.pac', { username: 'u' }, { pac: 'file:///etc/passwd' }),
  ],
  extension: [...fine(null, {}, { field: null }), ...never('extension.field', { field: 'archive' })],
};
const SIZES: [width: Wish, height: Wish][] = [
  ...[
    [1280, 720],
    ['1108', '831'],
    [100, '50'],
    [4000, 300.5],
    [null, null],
    ['', null],
  ].map(([width, height]) => [{ value: width }, { value: height }] as [Wish, Wish]),
  [{ value: 1920 }, { value: 1081, refused: 'width x height must be ' }],
  [{ value: 800 }, { value: null, refused: 'height must be ' }],
  [{ value: 0, refused: 'width must be ' }, { value: 600 }],
];

/** Picks one of the values of a field: mostly one that is accepted. */
const wishFor = (field: string, wishes: readonly Wish[]): fc.Arbitrary<Chosen> =>
  fc
    .oneof(
      { weight: 15, arbitrary: fc.constantFrom(...wishes.filter(({ refused }) => refused === undefined)) },
      { weight: 1, arbitrary: fc.constantFrom(...wishes) },
    )
    .map((wish) => ({ field, ...wish }));

/** Picks something in one of three cases, else nothing. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary });

const size = fc
  .oneof({ weight: 9, arbitrary: fc.constantFrom(...SIZES.slice(0, 6)) }, fc.constantFrom(...SIZES))
  .map(([width, height]): Chosen[] => [
    { field: 'width', ...width },
    { field: 'height', ...height },
  ]);
const unknown = fc
  .tuple(fc.constantFrom('unknown', 'Start_URL', 'metadata', 'vm'), fc.constantFrom(null, {}, [], 'x', 5))
  .map(([field, value]): Chosen[] => [{ field, value }]);

/**
 * Requests of customers: null, numbers as strings, missing and unknown fields. `refusals` has the possible
 * beginnings of the error message. Without any, the request must succeed.
 */
export const customerRequest = fc
  .tuple(
    ...Object.entries(FIELDS).map(([field, wishes]) =>
      sometimes(wishFor(field, wishes).map((chosen) => [chosen])),
    ),
    sometimes(size),
    sometimes(unknown),
  )
  .map((parts) => {
    const chosen = parts.flat();
    const body = Object.fromEntries(chosen.map(({ field, value }) => [field, value]));
    return { body, refusals: chosen.flatMap(({ refused }) => refused ?? []) };
  });
