import * as records from './migrations/0001-records.js';
import * as eventsAndProfiles from './migrations/0002-events-and-profiles.js';
import * as nodes from './migrations/0003-nodes.js';

/** A change of the tables. It is never edited after a release, and leaves what the version before it reads and writes usable: both run for a while. */
export interface Migration {
  /** Begins with its number. */
  readonly name: string;
  readonly sql: string;
}

/** All changes, in their order. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-records', sql: records.sql },
  { name: '0002-events-and-profiles', sql: eventsAndProfiles.sql },
  { name: '0003-nodes', sql: nodes.sql },
];
