import { after, afterEach, before } from 'node:test';
import { Database, type DatabaseOptions } from '../../../server/src/database/database.js';
import { migrate } from '../../../server/src/database/migrate.js';
import { systemClock } from '../../../server/src/platform/time/clock.js';
import { createLog } from '../../../server/src/platform/log.js';
import { TestPostgres } from './postgres.js';

/** A log that discards every line. */
export const quiet = createLog('silent', () => undefined);

/** PostgreSQL for the tests of a file. */
export interface DatabaseFixture {
  readonly postgres: TestPostgres;
  /** Opens a database until the end of the test: an empty one, unless a URL is given. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  /** The same, with the project's tables. */
  openWithTables(options?: Partial<DatabaseOptions>): Promise<Database>;
}

/** Provides PostgreSQL for the tests of this file. */
export function databaseFixture(): DatabaseFixture {
  let postgres: TestPostgres | undefined;
  const opened = new Set<Database>();
  before(async () => {
    postgres = await TestPostgres.start();
  });
  afterEach(async () => {
    // A test that failed may have left it frozen.
    await postgres?.thaw();
    await Promise.all([...opened].map((database) => database.close()));
    opened.clear();
  });
  after(() => postgres?.stop());
  const fixture: DatabaseFixture = {
    get postgres() {
      if (!postgres) throw new Error('PostgreSQL is there during tests.');
      return postgres;
    },
    async open(options = {}) {
      const url = options.url ?? (await fixture.postgres.createDatabase());
      const database = await Database.open({
        connections: 5,
        clock: systemClock,
        log: quiet,
        ...options,
        url,
      });
      opened.add(database);
      return database;
    },
    async openWithTables(options) {
      const database = await fixture.open(options);
      await migrate(database, quiet);
      return database;
    },
  };
  return fixture;
}

/** Resolves when a database becomes available or unavailable. */
export function change(database: Database): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = database.watch((available) => {
      stop();
      resolve(available);
    });
  });
}
