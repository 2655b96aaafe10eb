import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { isRecord } from '../../platform/is-record.js';
import { parseJson } from '../../platform/parse-json.js';

/** Maximum number of chapters in a list. Players cannot show more. */
const MAX_CHAPTERS = 1_000;
/** Maximum length of a title in characters, before its escaping. */
const MAX_TITLE_CHARS = 200;

interface Chapter {
  start: number;
  title: string;
}

/** Returns WebVTT chapters of a recording: its markers and navigations. */
export async function chaptersOf(events: Readable, seconds: number): Promise<string> {
  const chapters: Chapter[] = [];
  const lines = createInterface({ input: events, crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      const chapter = chapterOf(line);
      if (chapter) chapters.push(chapter);
      if (chapters.length >= MAX_CHAPTERS) break;
    }
  } finally {
    // After the loop, a read error would have no listener, and would end the process.
    lines.on('error', () => undefined);
    events.on('error', () => undefined);
    lines.close();
    events.destroy();
  }
  const cues = chapters.flatMap(({ start, title }, index) => {
    const end = chapters[index + 1]?.start ?? Math.max(seconds, start + 1);
    return end > start ? [`${timeText(start)} --> ${timeText(end)}\n${title}\n`] : [];
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function chapterOf(line: string): Chapter | undefined {
  // The last line may be incomplete while it is being written.
  const event = parseJson(line);
  if (!isRecord(event)) return undefined;
  const { t, type, name, url } = event;
  const title = type === 'marker' ? name : type === 'navigation' ? url : undefined;
  if (typeof t !== 'number' || typeof title !== 'string') return undefined;
  // A line break in the title would end the cue. The title is cut before its escaping and between whole
  // characters, so that it does not end inside `&amp;` or inside a surrogate pair.
  const text = [...title.replace(/\s+/g, ' ')].slice(0, MAX_TITLE_CHARS).join('');
  // Replaces `>` too, because an arrow (`-->`) in the title would end the cue.
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { start: t, title: escaped };
}

function timeText(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const [h, m, s] = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60];
  return `${part(h, 2)}:${part(m, 2)}:${part(s, 2)}.${part(milliseconds % 1000, 3)}`;
}
