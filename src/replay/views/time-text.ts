/** Formats seconds as `1:05` or `1:02:03`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Formats seconds for screen readers: `1 minute, 5 seconds`. */
export function spokenTime(seconds: number, lang: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    ...[Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(
      (value, index) => [value, (['hour', 'minute', 'second'] as const)[index] ?? 'second'] as const,
    ),
  ].filter(([value], index) => value > 0 || (index === 2 && whole === 0));
  const texts = parts.map(([value, unit]) =>
    new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
  );
  return new Intl.ListFormat(lang, { type: 'unit' }).format(texts);
}
