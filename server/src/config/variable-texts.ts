import type { Variable } from './variables/variable.js';

/** Returns meaning and allowed values of a variable, in a phrase. */
export function meaningOf({ help, allowed }: Variable): string {
  return allowed === undefined ? help : `${help}; ${allowed}`;
}

/** Returns the default of a variable for readers. */
export function defaultTextOf(variable: Variable): string {
  return variable.defaultText ?? `\`${String(variable.default)}\``;
}
