import type { Machine } from '../machine.js';

/** Form of a variable's values. */
export interface ValueType<T> {
  /** Description of the allowed values. An error shows it after "must be". */
  expected: string;
  /**
   * Description of the allowed values in the help and the documentation. Undefined if every text is allowed.
   */
  allowed: string | undefined;
  /** Converts the text of a variable. Returns undefined if the text is invalid. */
  parse(text: string): T | undefined;
}

/** Returns the default on this machine. */
export type ComputedDefault<T> = (machine: Machine, environment: NodeJS.ProcessEnv) => T;

/**
 * Default of a variable. In the help and the documentation, `defaultText` replaces a value that would not be
 * clear to readers. Without `default`, an unset variable is undefined. The code that uses the setting then
 * chooses the value, for example from other settings.
 */
type Default<T> =
  | { default: T & (string | number); defaultText?: string }
  | { default: T | ComputedDefault<T>; defaultText: string }
  | { defaultText: string };

/** Default and texts of a variable. The texts are Markdown, without a full stop at the end. */
export type Row<T> = Default<T> & {
  /** Meaning, in a phrase. It appears in `--help` and in the documentation. */
  help: string;
  /** Sentences that only the documentation adds. */
  docs?: string;
  /** True if errors must not contain the value. */
  secret?: true;
};

/** An environment variable whose value may have any type. */
export interface Variable extends ValueType<unknown> {
  default?: unknown;
  defaultText?: string;
  help: string;
  docs?: string;
  secret?: true;
}

/** Variables by their names. */
export type Variables = Readonly<Record<string, Variable>>;

/** Returns a variable with this type of values and these properties. */
export function variable<T, const R extends Row<T>>(type: ValueType<T>, row: R): ValueType<T> & R {
  return { ...type, ...row };
}
