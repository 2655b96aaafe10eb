const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats bytes for users: `12.3 MB`. */
export function sizeText(bytes: number, lang: string): string {
  const index = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** index;
  const digits = index > 0 && value < 100 ? 1 : 0;
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
