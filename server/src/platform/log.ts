/** Log levels, from most to least output. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of a log line. They never contain tokens, keys, or addresses with tokens. */
export type LogFields = Record<string, unknown>;

/** Structured log, one JSON object per line. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: LogFields) => void>;

/** Creates a log that writes lines at or above `level`, each with its time in RFC 3339 form. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const lowest = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < lowest) return () => undefined;
    return (message: string, fields: LogFields = {}) => {
      const line = { time: new Date().toISOString(), level: name, message };
      // The line's own keys come first, and no field overwrites them.
      write(`${JSON.stringify({ ...line, ...plain(fields), ...line })}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Replaces errors by their stacks, because JSON turns an Error into `{}`. */
function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? (value.stack ?? value.message) : value,
    ]),
  );
}
