import { ROLES } from 'cloud-browser/protocol';
import { Type } from 'typebox';
import { exact, expected } from './expected.js';
import { FieldMasking } from './values/field-masking.js';
import { oneOf, text } from './schema-parts.js';
import { MAX_SECRET_CHARS, MAX_URL_CHARS } from './limits.js';
import { DEFAULT_ROLES, ONE_ROLE, ROLE_LIST } from './values/roles.js';
import { row } from './field-row.js';

/** Creation fields about viewers: admission to the session, and their rights. */
export const VIEWER_FIELDS = {
  auth: row({
    schema: Type.Object(
      {
        type: Type.Optional(
          oneOf(['token', 'webhook', 'tokens'], {
            default: 'token',
            description:
              'Decides about viewers: the token in the address, your endpoint, or only tokens that you issue.',
            ...exact,
          }),
        ),
        value: Type.Optional(
          Type.Object({
            url: Type.Optional(text(1, MAX_URL_CHARS, 'Gets a request for each viewer.')),
            bearer: Type.Optional(
              text(
                1,
                MAX_SECRET_CHARS,
                'Sent as a bearer token, so that your endpoint can verify the request.',
              ),
            ),
          }),
        ),
      },
      exact,
    ),
    about:
      'Decides which viewers can join: those with the token in the address, those that your endpoint admits, or only those with a token that you issue.',
    links: 'See [Authentication of viewers](#authentication-of-viewers) and [Tokens](#tokens).',
    shown: { standard: '`{"type": "token"}`' },
    type: "{ type?: 'token' } | { type: 'tokens' } | { type: 'webhook'; value: Webhook }",
  }),
  privacy_timeout: row({
    schema: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 0,
      ...expected('a number of seconds, 0 or more'),
    }),
    standard: 600,
    about:
      'Maximum seconds of privacy mode. The user in privacy mode gets a warning before the end, and can renew privacy mode. 0 means no limit, and the response has a warning. Null means the default.',
    links: 'See [Privacy mode](users.md#privacy-mode).',
    host: { privacyTimeout: 'later' },
  }),
  control_disable_default: row({
    schema: Type.Boolean(),
    standard: false,
    about:
      'New viewers have no control until an admin gives them control. If `default_roles` is not set, they have no roles until then, and get the default roles together with control.',
  }),
  default_roles: row({
    schema: Type.Array(Type.String({ maxLength: 1_000, examples: [...ROLES], ...ONE_ROLE }), {
      maxItems: 50,
      ...ROLE_LIST,
    }),
    about: `Roles of new viewers, instead of the default roles. Unknown roles are ignored, with a warning.`,
    links: 'See [Roles](users.md#roles).',
    shown: { standard: DEFAULT_ROLES.map((role) => `\`${role}\``).join(', ') },
    type: 'Role[]',
  }),
  field_masking: row({
    schema: FieldMasking,
    about:
      'Elements that accept input only from users with the role `field_masking`: `[{matches: [URL glob, …], selectors: [CSS selector, …]}, …]`.',
    links: 'See [Masked fields](#masked-fields).',
    host: { fieldMasking: 'launch' },
  }),
};
