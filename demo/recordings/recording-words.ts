import type { Recording } from '../../src/api/index.js';

/** Severity of a state, shown as a colour. */
type Mood = 'good' | 'warn' | 'bad';

const STATES: Readonly<Record<Recording['state'], { word: string; mood: Mood }>> = {
  recording: { word: 'Recording', mood: 'warn' },
  finalizing: { word: 'Finishing', mood: 'warn' },
  ready: { word: 'Ready', mood: 'good' },
  failed: { word: 'Nothing recorded', mood: 'bad' },
};

/** Returns the state of a recording in words. */
export function recordingState({ state }: Pick<Recording, 'state'>): { word: string; mood: Mood } {
  return STATES[state];
}

/** Formats a duration, for example `0:42` and `1:02:03`. */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats a size in bytes, for example `340 kB` and `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Formats the start of a recording in the visitor's language and time zone. */
export function startText(date: string): string {
  return new Date(date).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

/** Returns the number of shown recordings as a sentence. */
export function countText(count: number, more: boolean): string {
  if (count === 0) return 'There is no such recording.';
  if (more) return `The newest ${count} recordings.`;
  return count === 1 ? 'One recording.' : `${count} recordings.`;
}

/** Returns the filters of the search form for a request. Empty fields select all. */
export function filtersOf(form: FormData): Record<string, string> {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const filters: Record<string, string> = {};
  for (const name of ['from', 'to']) {
    // The field has the visitor's time zone, and the service needs one.
    const date = new Date(text(name));
    if (!Number.isNaN(date.getTime())) filters[name] = date.toISOString();
  }
  if (text('value')) filters[text('by')] = text('value');
  return filters;
}
