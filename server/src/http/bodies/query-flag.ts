import { invalidParameter } from '../../service-error.js';

/** Booleans of a query. An empty text is false, like an option that is not in the query. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1'].map((text) => [text, true] as const),
  ...['false', '0', ''].map((text) => [text, false] as const),
]);

/** Reads a boolean of a query. Ignores case, because Python writes `True` and `False`. */
export function flagOf(text: string, name: string): boolean {
  const flag = FLAGS.get(text.toLowerCase());
  if (flag === undefined) throw invalidParameter(name, 'true or false');
  return flag;
}
