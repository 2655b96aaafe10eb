const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats bytes for users: `12.3 MB`. */
export function sizeText(bytes: number, lang: string): string {
  let [index, value] = [0, bytes];
  // The value is shown rounded. Rounded values of 1000 and more get the next unit.
  for (; value >= 999.5 && index < UNITS.length - 1; index++) value /= 1000;
  const digits = index > 0 && value < 99.95 ? 1 : 0;
  return new Intl.NumberFormat(lang, {
    ...{ style: 'unit', unit: UNITS[index] ?? 'byte', unitDisplay: index === 0 ? 'long' : 'short' },
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** Formats the hour and minute of a date for users: `14:05`. */
export function timeOfDay(date: Date, lang: string): string {
  return new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' }).format(date);
}
