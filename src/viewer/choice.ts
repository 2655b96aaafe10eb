/**
 * Returns the value if it is one of the choices. Otherwise returns the fallback, and logs a warning. For null
 * and undefined, logs no warning.
 *
 * @param name name of the option in the caller's code
 */
export function choice<const Choices extends readonly string[]>(
  name: string,
  value: unknown,
  choices: Choices,
  fallback: Choices[number],
): Choices[number] {
  const chosen = choices.find((each) => each === value);
  if (chosen === undefined) warnOf(name, value, choices.map((each) => `"${each}"`).join(', '), fallback);
  return chosen ?? fallback;
}

/**
 * Returns a volume from 0 to 1. Also accepts a number as text. For other values, warns like {@link choice}
 * and returns 1.
 */
export function loudness(name: string, value: unknown): number {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= 1) return number;
  warnOf(name, value, 'a number from 0 to 1', 1);
  return 1;
}

/**
 * Logs a warning about a value that is not allowed. Ignores null and undefined, which frameworks pass for
 * values that are not available yet.
 */
export function warnOf(name: string, value: unknown, allowed: string, used: unknown): void {
  if (value === undefined || value === null) return;
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  const given =
    typeof value === 'string' ? `"${value}"` : isPlain ? String(value) : `a value of type ${typeof value}`;
  console.warn(`cloud-browser: ${name} is ${given}. Use ${allowed}. It counts as ${String(used)}.`);
}
