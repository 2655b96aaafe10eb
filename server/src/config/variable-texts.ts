import type { Variable } from './variables/variable.js';

/** Returns a phrase with the meaning and the allowed values of a variable. */
export function meaningOf({ help, allowed }: Variable): string {
  return allowed === undefined ? help : `${help}; ${allowed}`;
}

/** Returns a text about the default of a variable, in Markdown. */
export function defaultTextOf(variable: Variable): string {
  return variable.defaultText ?? `\`${String(variable.default)}\``;
}
