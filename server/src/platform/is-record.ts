/** True for an object with named values, such as an object of JSON. False for null and for lists. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
