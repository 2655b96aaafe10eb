import { ROLES } from 'cloud-browser/protocol';
import { Type, type Static } from 'typebox';
import { exact, expected } from '../../../create-fields/expected.js';
import { oneOf, text } from '../../../create-fields/schema-parts.js';
import { TOKEN_SCOPES } from '../../../host-protocol.js';

/** Seconds for which a token is valid: shortest, longest and default. */
export const TOKEN_TTL = { min: 1, max: 31_536_000, standard: 3_600 } as const;

const ABOUT_SCOPE =
  'Upper bound for the use of the token. view: watch. control: watch and use. automation: drive as a program. admin: manage the session.';
const Scope = oneOf(TOKEN_SCOPES, { description: ABOUT_SCOPE });
const Expires = Type.String({ description: 'RFC 3339, UTC.' });
const TokenId = Type.String({ description: 'Identifier of the token. It gives no access.' });
const UserId = Type.String({
  pattern: '^[\\w.@:|+~-]{1,64}$',
  description: 'Id of the user. A second connection with it replaces the first. Absent: a new id each time.',
  ...expected('1 to 64 letters, digits or characters out of . _ @ : | + ~ -'),
  ...exact,
});
const Name = text(1, 100, 'Name of the user, as other users see it.', {
  pattern: '^\\P{Cc}*$',
  ...expected('a text of 1 to 100 characters without control characters'),
});

/** Seconds until a token expires. */
export const Ttl = Type.Integer({
  minimum: TOKEN_TTL.min,
  maximum: TOKEN_TTL.max,
  default: TOKEN_TTL.standard,
  description: 'Seconds until the token expires.',
  ...expected(`a whole number of seconds from ${TOKEN_TTL.min} to ${TOKEN_TTL.max}, a year`),
  ...exact,
});

/** The body of `POST {session}/tokens`. */
export const TokenBody = Type.Object(
  {
    scope: oneOf(TOKEN_SCOPES, {
      description: ABOUT_SCOPE,
      ...expected(`one of ${TOKEN_SCOPES.join(', ')}`),
      ...exact,
    }),
    ttl: Type.Optional(Ttl),
    roles: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000, examples: [...ROLES] }), {
        maxItems: 50,
        description: 'Roles of the user. Absent: none for view, those of the session for other scopes.',
        ...expected(`a list of roles out of ${ROLES.join(', ')}`),
        ...exact,
      }),
    ),
    user_id: Type.Optional(UserId),
    name: Type.Optional(Name),
  },
  exact,
);
export type TokenBody = Static<typeof TokenBody>;

/** Response of `POST {session}/tokens`. */
export const TokenIssued = Type.Object({
  token_id: TokenId,
  scope: Scope,
  token: Type.String({ description: 'The secret. The service cannot return it again.' }),
  url: Type.Optional(
    Type.String({ description: 'Only for view and control: the embed URL with the token.' }),
  ),
  cdp_url: Type.Optional(
    Type.String({ description: 'Only for automation: the WebSocket address with the token.' }),
  ),
  expires: Expires,
});

/** Response of `GET {session}/tokens`. */
export const TokenList = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token_id: TokenId,
      scope: Scope,
      roles: Type.Optional(Type.Array(oneOf(ROLES))),
      user_id: Type.Optional(UserId),
      name: Type.Optional(Name),
      created: Type.String({ description: 'RFC 3339, UTC.' }),
      expires: Expires,
    }),
    { description: 'The valid tokens, oldest first, without their secrets.' },
  ),
});

/** Response of `DELETE {session}/tokens/{token_id}`. */
export const TokenRevoked = Type.Object({ token_id: TokenId });

/** The path of a token below a session's own address. */
export const TokenPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  token_id: TokenId,
});
