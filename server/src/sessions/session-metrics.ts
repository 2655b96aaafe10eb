import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { Metrics } from '../platform/prometheus.js';
import type { SessionStatus } from './session-record.js';

/** Upper ends of the buckets for the time until a page is shown, in seconds. */
const START_SECONDS = [0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60];

/** What operators want to know of sessions. */
export class SessionMetrics {
  readonly created: () => void;
  /** Seconds from the request until the page was shown. */
  readonly started: (seconds: number) => void;
  readonly ended: (reason: ServerDisconnectReason) => void;
  readonly authorization: (granted: boolean) => void;
  /** A request was refused; by the code of its error. */
  readonly rejected: (code: string) => void;
  /** An event was delivered, failed for now, or was given up. */
  readonly event: (result: 'delivered' | 'failed' | 'given_up') => void;
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    const created = metrics.counter('cloud_browser_sessions_created_total', 'Sessions created.');
    this.created = () => created();
    this.started = metrics.histogram(
      'cloud_browser_session_start_seconds',
      'Time from the request until the first page was shown.',
      START_SECONDS,
    );
    const ended = metrics.counter('cloud_browser_sessions_ended_total', 'Sessions ended, by reason.');
    this.ended = (reason) => ended({ reason });
    const authorizations = metrics.counter(
      'cloud_browser_authorizations_total',
      'Answers to the question whether a viewer may come in.',
    );
    this.authorization = (granted) => authorizations({ result: granted ? 'granted' : 'denied' });
    const rejected = metrics.counter('cloud_browser_rejections_total', 'Requests refused, by error code.');
    this.rejected = (code) => rejected({ code });
    const events = metrics.counter('cloud_browser_webhook_events_total', 'Attempts to deliver events.');
    this.event = (result) => events({ result });
  }

  /** Where the gauges look. */
  watch(read: () => SessionStatus[]): void {
    this.#metrics.gauge('cloud_browser_sessions', 'Live sessions, by state.', () => {
      const sessions = read();
      return (['starting', 'running'] as const).map((state) => ({
        labels: { state },
        value: sessions.filter((session) => session.state === state).length,
      }));
    });
    this.#metrics.gauge('cloud_browser_viewers', 'Connected viewers.', () => [
      { value: read().reduce((sum, { viewers }) => sum + viewers, 0) },
    ]);
  }
}
