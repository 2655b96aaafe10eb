import { CHANGES, type Change } from '../changes/change-probe.js';
import { CHANGE_TITLES } from '../changes/changes.js';
import { median } from '../statistics.js';
import { MOMENTS, stageMedians, type ClickMoments, type Moment } from './moments.js';

/** Kinds of changes for which the host's own work is measured too. */
export const WORKED = ['solid', 'panel'] as const;
export type WorkedChange = (typeof WORKED)[number];

/** The clicks of all rounds that cause one kind of change. */
export interface StagedClicks {
  clicks: ClickMoments[];
  /** Clicks that changed nothing in time, or whose moments were not all recorded. */
  lost: number;
}

/** The host's own work for one kind of change, as medians in milliseconds. */
export interface HostWork {
  /** Converts pixels that are in memory already to the format of the encoder. */
  converting: number;
  encoding: number;
}

/** The stages of clicks, and a sentence for each failure. */
export interface StageFigures {
  title: string;
  clicks: Record<Change, StagedClicks>;
  /** The host's own work. Undefined if its measurement failed. */
  hostWork: Record<WorkedChange, HostWork> | undefined;
  failures: string[];
}

/** Titles of the stages, by the moment at their end. */
const STAGES: Record<Moment, string> = {
  pressed: "the viewer's Chromium gives the press to the page",
  captured: 'the press reaches the host, and the hosted Chromium draws',
  received: 'the host reads the picture, converts it, encodes it and sends it',
  decoded: "the viewer's Chromium decodes it",
  painted: 'the page paints it',
  shown: "the viewer's Chromium draws the canvas on its screen",
};

/** Titles of the host's own work. */
const WORK: Record<keyof HostWork, string> = {
  converting: 'converting the pixels, which are in memory already',
  encoding: 'encoding the picture',
};

/** Returns Markdown tables: the stages of a click, and the host's own work if it was measured. */
export function stageTables({ clicks, hostWork }: StageFigures): string {
  const medians = CHANGES.map((change) => stageMedians(clicks[change].clicks));
  const totals = CHANGES.map((change) => median(clicks[change].clicks.map(({ shown }) => shown)));
  const counts = CHANGES.map((change) => {
    const { clicks: complete, lost } = clicks[change];
    return `${complete.length} of ${complete.length + lost}`;
  });
  const stages = tableOf('stage of a click, median (ms)', CHANGES, [
    ...MOMENTS.map((moment) => [STAGES[moment], ...medians.map((each) => figure(each[moment]))]),
    ['the whole click', ...totals.map(figure)],
    ['clicks', ...counts],
  ]);
  if (!hostWork) return stages;
  const rows = (['converting', 'encoding'] as const).map((work) => [
    WORK[work],
    ...WORKED.map((change) => figure(hostWork[change][work])),
  ]);
  return `${stages}\n\n${tableOf("the host's own work in one process, median (ms)", WORKED, rows)}`;
}

const figure = (value: number): string => (Number.isNaN(value) ? 'failed' : value.toFixed(1));

function tableOf(title: string, changes: readonly Change[], rows: readonly (readonly string[])[]): string {
  const header = [title, ...changes.map((change) => CHANGE_TITLES[change])];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
