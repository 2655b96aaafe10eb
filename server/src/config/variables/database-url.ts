import { values } from './value-types.js';
import type { ValueType } from './variable.js';

/** Values of `sslmode` that the driver knows. It would treat any other value as `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Allows addresses of PostgreSQL databases. Refuses incorrect percent escapes: the driver would use them
 * unchanged, so a password would have other characters than its author meant.
 */
export function databaseUrl(): ValueType<string> {
  return values(
    'the address of a PostgreSQL database, such as `postgres://user:password@host:5432/name`, ' +
      `with special characters percent-encoded and \`sslmode\`, if set, one of ${SSL_MODES.join(', ')}`,
    (value) => (isDatabaseUrl(value) ? value : undefined),
  );
}

function isDatabaseUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value) || !isDecodable(value)) return false;
  return new URL(value).searchParams.getAll('sslmode').every((mode) => SSL_MODES.includes(mode));
}

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
