import * as events from './migrations/initial/events.js';
import * as nodeFunctions from './migrations/initial/node-functions.js';
import * as nodes from './migrations/initial/nodes.js';
import * as placeSession from './migrations/initial/place-session.js';
import * as profiles from './migrations/initial/profiles.js';
import * as recordings from './migrations/initial/recordings.js';
import * as records from './migrations/initial/records.js';

/** The tables and functions of the first release, in the order in which they need each other. */
const INITIAL = [nodes, records, recordings, events, profiles, nodeFunctions, placeSession];

/**
 * A change of the tables. It is never edited after a release. The previous version must still be able to read
 * and write the tables, because both versions run during an update of a cluster.
 */
export interface Migration {
  /** Name of the change. It begins with the change's number. */
  readonly name: string;
  readonly sql: string;
}

/** All changes, in their order. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', sql: INITIAL.map(({ sql }) => sql).join('') },
];
