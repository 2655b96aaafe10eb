import { Client } from 'pg';
import { DatabaseError, DatabaseStartError } from './database-error.js';
import type { Statement } from './statement.js';

/** Lowest supported version of PostgreSQL, in its numeric form. */
const LOWEST_VERSION = 130_000;

/** Statement that checks if an unavailable database is available again. */
export const PROBE: Statement = {
  name: 'database_probe',
  text: `select current_setting('transaction_read_only') = 'on' as read_only`,
};

const INSPECT: Statement = {
  name: 'database_inspect',
  text: `select current_setting('server_version_num')::int as version, current_setting('server_version') as version_name,
    current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as read_only`,
};

interface Facts {
  version: number;
  version_name: string;
  encoding: string;
  read_only: boolean;
}

/**
 * Throws {@link DatabaseError} if the database is read-only. This happens while a standby is being promoted.
 */
export function requireWritable(rows: { read_only?: boolean }[]): void {
  if (rows[0]?.read_only !== false)
    throw new DatabaseError('unreachable', 'The database is read-only at the moment.');
}

/** Checks that a database can be used. Rejects with {@link DatabaseStartError}. */
export async function inspect(url: string, ask: (statement: Statement) => Promise<object[]>): Promise<void> {
  const { address, name, user } = partsOf(url);
  let facts: Facts | undefined;
  try {
    [facts] = (await ask(INSPECT)) as Facts[];
  } catch (error) {
    throw new DatabaseStartError(explain(error, { address, name, user }));
  }
  if (!facts)
    throw new DatabaseStartError(`The server at ${address} is not PostgreSQL. Correct DATABASE_URL.`);
  if (facts.version < LOWEST_VERSION)
    throw new DatabaseStartError(
      `The database at ${address} is PostgreSQL ${facts.version_name}. Use version ${LOWEST_VERSION / 10_000} or newer.`,
    );
  if (facts.encoding !== 'UTF8')
    throw new DatabaseStartError(
      `The database "${name}" has the encoding ${facts.encoding}. Make one with UTF8: createdb --encoding=UTF8 --template=template0.`,
    );
  if (facts.read_only)
    throw new DatabaseStartError(
      `The database at ${address} is read-only: it is a standby, or configured so. Set DATABASE_URL to the primary.`,
    );
}

/**
 * Returns the parts of the URL that may be printed. The whole URL contains a password and must not be
 * printed.
 */
function partsOf(url: string): { address: string; name: string; user: string } {
  let client: Client;
  try {
    client = new Client({ connectionString: url });
  } catch (error) {
    // The driver reads the files of certificates that the URL names.
    const { path, message } = error as NodeJS.ErrnoException;
    if (path !== undefined)
      throw new DatabaseStartError(
        `A file that DATABASE_URL names cannot be read (${message}). Correct DATABASE_URL.`,
      );
    throw new DatabaseStartError(
      'DATABASE_URL is not valid. Its form is postgres://user:password@host:5432/database, with special characters percent-encoded.',
    );
  }
  const { host, port, database = '', user = '' } = client;
  return { address: host.startsWith('/') ? host : `${host}:${port}`, name: database, user };
}

function explain(error: unknown, { address, name, user }: ReturnType<typeof partsOf>): string {
  if (!(error instanceof DatabaseError)) throw error;
  switch (error.sqlState) {
    case '28P01':
    case '28000':
      return `The database at ${address} rejects the user "${user}". Correct the user and the password in DATABASE_URL. (${error.message})`;
    case '3D000':
      return `There is no database "${name}" at ${address}. Create it with createdb, or correct DATABASE_URL.`;
    default:
      return `The database at ${address} cannot be used. Start it, or correct DATABASE_URL. (${error.message})`;
  }
}
