import { Type, type Static } from 'typebox';
import { expected } from '../../sessions/settings/expected.js';
import { flag, limit, warning } from '../../sessions/settings/fields.js';

/** The body of `POST {session}/timeout`. */
export const TimeoutUpdateBody = Type.Object({
  absolute: limit('Seconds after which the session ends, whatever happens.'),
  inactive: limit('Seconds without input of a person after which it ends.'),
  offline: limit('Seconds without a connected viewer after which it ends.'),
  warning: warning(),
  reset: flag(true, 'Whether the counters begin anew.'),
});
export type TimeoutUpdateBody = Static<typeof TimeoutUpdateBody>;

/** The limits of a session as they are now. */
export const TimeoutView = Type.Object({
  absolute: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  inactive: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  offline: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  warning: Type.Number(),
});

/** Any JSON, an empty body too. */
export const NoParameters = Type.Object({}, { description: 'Nothing is read from it.' });

/** The body of `POST {session}/pinSize`. */
export const PinSizeBody = Type.Array(Type.Unknown(), {
  prefixItems: [
    Type.Boolean({ description: 'True: only admins change the size. False: it changes as ever.' }),
  ],
  description: 'A JSON array: [pinned]. Empty: true.',
  ...expected('a JSON array: [pinned]'),
});

/** The text of a bookmark file. */
export const BookmarkFile = Type.String({ description: 'A bookmark file in the Netscape format.' });

/** What was read from a bookmark file. */
export const BookmarksAdded = Type.Object({
  bookmarks: Type.Integer({ description: 'How many bookmarks were added, folders not counted.' }),
});

/** A session's own address. */
export const AddressPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
});

/** An answer that says no more than that all is well. */
export const Ok = Type.Object({ status: Type.String({ enum: ['ok'] }) });
