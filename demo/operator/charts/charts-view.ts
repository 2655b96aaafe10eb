import { find } from '../../dom.js';
import type { Curves } from './curves.js';
import { LineChart } from './line-chart.js';
import { durationText, valueText } from '../words.js';

/** Charts of the last hour. */
export class ChartsView {
  readonly #charts = {
    sessions: new LineChart({
      ...{ title: 'Sessions and viewers', whole: true, show: valueText },
      empty: 'Nothing is known yet: the first figures come after five seconds.',
    }),
    starts: new LineChart({
      ...{ title: 'Session starts', whole: true, show: valueText },
      empty: 'Nothing is known yet: starts are counted by the minute.',
    }),
    startTimes: new LineChart({
      ...{ title: 'Time from request to page', whole: false, show: (value) => durationText(value * 1_000) },
      empty: 'No session showed its page in the last hour.',
    }),
    rejections: new LineChart({
      ...{ title: 'Refused requests per minute', whole: true, show: valueText },
      empty: 'Nothing was refused in the last hour.',
    }),
  };

  constructor() {
    find('.charts').append(...Object.values(this.#charts).map(({ element }) => element));
  }

  show({ ages, ...curves }: Curves): void {
    this.#charts.sessions.show(curves.sessions, ages);
    this.#charts.starts.show(curves.starts, ages);
    this.#charts.startTimes.show(curves.startTimes, ages);
    this.#charts.rejections.show(curves.rejections, ages);
  }
}
