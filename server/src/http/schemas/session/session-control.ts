import { Type, type Static } from 'typebox';
import { expected } from '../../../create-fields/expected.js';
import { flag, limit, warning } from '../../../create-fields/schema-parts.js';
import { warningList } from '../warning-list.js';

/** The body of `POST {session}/timeout`. */
export const TimeoutUpdateBody = Type.Object({
  absolute: limit('Seconds from creation to the end of the session.'),
  inactive: limit('Seconds without input of a person after which the session ends.'),
  offline: limit('Seconds without a connected viewer after which the session ends.'),
  warning: warning(),
  reset: flag(true, 'True: restarts the counters.'),
});
export type TimeoutUpdateBody = Static<typeof TimeoutUpdateBody>;

/** The present limits of a session. */
export const TimeoutView = Type.Object({
  absolute: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  inactive: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  offline: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  warning: Type.Number(),
  warnings: warningList,
});

/** Any JSON object, or an empty body. */
export const NoParameters = Type.Object({}, { description: 'The service ignores its content.' });

/** The body of `POST {session}/pinSize`. */
export const PinSizeBody = Type.Array(Type.Unknown(), {
  prefixItems: [
    Type.Boolean({ description: 'True: only admins can change the size. False: users can change it again.' }),
  ],
  description: 'A JSON array: [pinned]. Empty: true.',
  ...expected('a JSON array: [pinned]'),
});

/** The text of a bookmark file. */
export const BookmarkFile = Type.String({ description: 'A bookmark file in the Netscape format.' });

/** Result of importing a bookmark file. */
export const BookmarksAdded = Type.Object({
  bookmarks: Type.Integer({ description: 'Number of added bookmarks, without folders.' }),
});

/** A session's own address. */
export const AddressPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
});

/** An answer without data. It reports success. */
export const Ok = Type.Object({ status: Type.String({ enum: ['ok'] }) });
