import { ROLES } from 'cloud-browser/protocol';
import { Type, type TSchema } from 'typebox';
import { expected } from '../../sessions/settings/expected.js';
import { oneOf } from '../../sessions/settings/fields.js';

const UserId = Type.String({ description: 'The user id, as GET users lists it and viewers know their own.' });
const Roles = Type.Array(oneOf(ROLES), { description: 'Roles.' });
const NamedRoles = Type.Array(Type.String(), {
  description: `Roles out of ${ROLES.join(', ')}. Others are left out, with a warning in the header Cloud-Browser-Warnings.`,
});

/** An array whose items mean different things; the session itself checks them. */
const tuple = (words: string, ...items: TSchema[]) =>
  Type.Array(Type.Unknown(), { prefixItems: items, description: words, ...expected(words) });

/** The body of `POST {session}/setPermissions`. */
export const PermissionsBody = tuple(
  'a JSON array: [user_id, {priority, idle_timeout, control_disabled}]',
  UserId,
  Type.Object({
    priority: Type.Optional(Type.Number({ description: 'Higher pre-empts lower.' })),
    idle_timeout: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Milliseconds without input after which the user pre-empts nobody; 0: never.',
      }),
    ),
    control_disabled: Type.Optional(Type.Boolean({ description: 'Drops all input of the user.' })),
  }),
);

/** The body of `POST {session}/addRoles` and `POST {session}/removeRoles`. */
export const RolesBody = tuple(
  'a JSON array: [[user_id, …], [role, …], exclusive]',
  Type.Array(UserId),
  NamedRoles,
  Type.Boolean({ description: 'True: everybody but these users. Default false.' }),
);

/** What a change of users answers, as the types of the public client say. */
export const Changed = Type.Boolean({ description: 'true.' });

/** Everybody who is connected. */
export const UserList = Type.Object({
  users: Type.Array(
    Type.Object({
      id: UserId,
      roles: Roles,
      permissions: Type.Object({
        priority: Type.Number(),
        idle_timeout: Type.Number(),
        control_disabled: Type.Boolean(),
      }),
      connectedAt: Type.String({ description: 'RFC 3339, UTC.' }),
      controlling: Type.Boolean({ description: 'The input of this user counts at this moment.' }),
    }),
  ),
});

/** Who was removed. */
export const UserKicked = Type.Object({ user_id: UserId });

/** A user under a session's own address. */
export const UserPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  user_id: UserId,
});
