/** From chatty to silent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts that go with a log line. Never tokens, keys or addresses that carry them. */
export type LogFields = Record<string, unknown>;

/** Structured log, one JSON object a line. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: LogFields) => void>;

/** A log that writes lines at or above `level`, each with its time in RFC 3339 form. */
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

/** JSON makes `{}` of an Error: its stack is what the reader of a log needs. */
function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? (value.stack ?? value.message) : value,
    ]),
  );
}
