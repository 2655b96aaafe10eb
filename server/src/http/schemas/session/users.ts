import { ROLES } from 'cloud-browser/protocol';
import { Type, type TSchema } from 'typebox';
import { expected } from '../../../create-fields/expected.js';
import { oneOf } from '../../../create-fields/schema-parts.js';

const UserId = Type.String({
  description: 'The user id, as in the list of users. Viewers know their own id.',
});
const Roles = Type.Array(oneOf(ROLES), { description: 'Roles.' });
const NamedRoles = Type.Array(Type.String(), {
  description: `Roles out of ${ROLES.join(', ')}. The service ignores unknown roles and lists them in the header Cloud-Browser-Warnings.`,
});

/**
 * Returns the schema of an array whose items have different meanings. The session itself checks the items.
 */
const tuple = (words: string, ...items: TSchema[]) =>
  Type.Array(Type.Unknown(), { prefixItems: items, description: words, ...expected(words) });

/** The body of `POST {session}/setPermissions`. */
export const PermissionsBody = tuple(
  'a JSON array: [user_id, {priority, idle_timeout, control_disabled}]',
  UserId,
  Type.Object({
    priority: Type.Optional(
      Type.Number({
        description: 'An active user with a higher priority blocks the input of users with a lower priority.',
      }),
    ),
    idle_timeout: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'Milliseconds without input after which the user no longer blocks other users; 0: never.',
      }),
    ),
    control_disabled: Type.Optional(
      Type.Boolean({ description: 'True: the session drops all input of the user.' }),
    ),
  }),
);

/** The body of `POST {session}/addRoles` and `POST {session}/removeRoles`. */
export const RolesBody = tuple(
  'a JSON array: [[user_id, …], [role, …], exclusive]',
  Type.Array(UserId),
  NamedRoles,
  Type.Boolean({ description: 'True: all users except these. Default false.' }),
);

/** Response to a change of users. It is always `true`, as the types of the public client require. */
export const Changed = Type.Boolean({ description: 'true.' });

/** All connected users. */
export const UserList = Type.Object({
  users: Type.Array(
    Type.Object({
      id: UserId,
      kind: oneOf(['person', 'agent'] as const, {
        description: '`agent`: a program that drives the browser.',
      }),
      name: Type.Optional(
        Type.String({ description: 'Name of an agent, or of a user whose token has a name.' }),
      ),
      color: Type.Optional(Type.String({ description: 'Colour of the pointer of an agent.' })),
      roles: Roles,
      permissions: Type.Object({
        priority: Type.Number(),
        idle_timeout: Type.Number(),
        control_disabled: Type.Boolean(),
      }),
      connectedAt: Type.String({ description: 'RFC 3339, UTC.' }),
      controlling: Type.Boolean({ description: 'True if this user controls the browser at this moment.' }),
      privacy: Type.Optional(
        Type.Object(
          {
            since: Type.String({ description: 'RFC 3339, UTC.' }),
            until: Type.Union([Type.String(), Type.Null()], {
              description: 'Time at which it ends unless it is renewed. RFC 3339, UTC. Null: no time limit.',
            }),
          },
          {
            description:
              'Present while this user is in privacy mode, so that only this user sees and controls the browser.',
          },
        ),
      ),
    }),
  ),
});

/** The removed user. */
export const UserKicked = Type.Object({ user_id: UserId });

/** The path of a user below a session's own address. */
export const UserPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  user_id: UserId,
});
