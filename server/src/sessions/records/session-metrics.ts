import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { AgentMetrics } from './agent-metrics.js';
import type { EndReason } from './end-reason.js';
import type { FailedStage } from '../placement/start-health.js';
import type { SaveResult } from '../profiles/profile-reservations.js';
import type { SessionStatus } from './session-record.js';

/** Upper ends of the buckets for the time until a page is shown, in seconds. */
const START_BUCKETS_S = [0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60];

/** Receives some of the counted events, for a node's history of the last hour. */
export interface SessionTally {
  /** Records the seconds from the request until the page was shown. */
  started(seconds: number): void;
  /** Counts a refused request. `code`: its error code. */
  rejected(code: string): void;
}

/** Metrics of sessions for operators. */
export class SessionMetrics {
  #read: () => SessionStatus[] = () => [];

  readonly agents: AgentMetrics;

  readonly created: () => void;
  /** Records the seconds from the request until the page was shown. */
  readonly started: (seconds: number) => void;
  readonly ended: (reason: EndReason) => void;
  readonly authorization: (granted: boolean) => void;
  /** Counts a refused request. `code`: its error code. */
  readonly rejected: (code: string) => void;
  /** Counts an attempt to deliver an event. `failed`: another attempt follows. */
  readonly event: (result: 'delivered' | 'failed' | 'given_up') => void;
  /** Counts an attempt to save a profile. */
  readonly profileSave: (result: SaveResult) => void;
  /** Counts refused requests of hosted pages. `counts`: number of requests by rule. */
  readonly egressRefused: (counts: Readonly<Record<string, number>>) => void;
  /**
   * Counts a session by `result`: `hit` if it received a warm browser (started before a session needs it),
   * otherwise the reason why it received none.
   */
  readonly warmBrowser: (result: string) => void;
  /** Counts a restart of the egress process. */
  readonly egressRestarted: () => void;
  /** Counts a failed start of a host or a session, or a failed trial start. */
  readonly startFailure: (stage: FailedStage) => void;

  constructor(
    private readonly registry: Registry,
    tally?: SessionTally,
  ) {
    const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name: `cloud_browser_${name}_total`, help, labelNames, registers: [registry] });
    this.agents = new AgentMetrics(registry);
    const created = counter('sessions_created', 'Sessions created.');
    this.created = () => created.inc();
    const started = new Histogram({
      name: 'cloud_browser_session_start_seconds',
      help: 'Time from the request until the first page was shown.',
      buckets: START_BUCKETS_S,
      registers: [registry],
    });
    this.started = (seconds) => {
      started.observe(seconds);
      tally?.started(seconds);
    };
    const ended = counter('sessions_ended', 'Sessions ended, by reason.', 'reason');
    this.ended = (reason) => ended.inc({ reason });
    const authorizations = counter(
      'authorizations',
      'Answers to authorization requests about viewers.',
      'result',
    );
    this.authorization = (granted) => authorizations.inc({ result: granted ? 'granted' : 'denied' });
    const rejected = counter('rejections', 'Requests refused, by error code.', 'code');
    this.rejected = (code) => {
      rejected.inc({ code });
      tally?.rejected(code);
    };
    const events = counter('webhook_events', 'Attempts to deliver events.', 'result');
    const saves = counter('profile_saves', 'Attempts to save a profile.', 'result');
    this.profileSave = (result) => saves.inc({ result });
    this.event = (result) => events.inc({ result });
    const refused = counter('egress_refused', 'Requests of hosted pages that were refused, by rule.', 'rule');
    this.egressRefused = (counts) => {
      for (const [rule, count] of Object.entries(counts)) refused.inc({ rule }, count);
    };
    const hits = counter('spare_hits', 'Sessions that received a warm browser.');
    const misses = counter('spare_misses', 'Sessions that received no warm browser, by reason.', 'reason');
    this.warmBrowser = (result) => (result === 'hit' ? hits.inc() : misses.inc({ reason: result }));
    const restarts = counter('egress_restarts', 'Ends of the egress process, which is then started again.');
    this.egressRestarted = () => restarts.inc();
    const failures = counter(
      'start_failures',
      'Starts that failed, by stage: host, session, trial.',
      'stage',
    );
    this.startFailure = (stage) => failures.inc({ stage });
  }

  /**
   * Adds the gauges of warm browsers.
   *
   * @param ages milliseconds for which each warm browser has waited
   */
  watchWarmBrowsers(ages: () => number[]): void {
    const registers = [this.registry];
    new Gauge({
      name: 'cloud_browser_spares',
      help: 'Warm browsers that wait for a session.',
      registers,
      collect() {
        this.set(ages().length);
      },
    });
    new Gauge({
      name: 'cloud_browser_spare_age_seconds',
      help: 'Waiting time of the oldest warm browser in seconds. 0 without one.',
      registers,
      collect() {
        this.set(Math.max(0, ...ages()) / 1_000);
      },
    });
  }

  /** Adds the gauge that is 1 while sessions start on this machine, and otherwise 0. */
  watchStarts(ready: () => boolean): void {
    new Gauge({
      name: 'cloud_browser_starts_sessions',
      help: '0 after the start of a host or a trial start failed, until a start succeeds. Otherwise 1.',
      registers: [this.registry],
      collect() {
        this.set(Number(ready()));
      },
    });
  }

  /** Connected viewers of all sessions. */
  get viewers(): number {
    return this.#read().reduce((sum, { viewers }) => sum + viewers, 0);
  }

  /** Adds the gauges of sessions and viewers. `read` returns the states of the sessions. */
  watch(read: () => SessionStatus[]): void {
    this.#read = read;
    const registers = [this.registry];
    new Gauge({
      name: 'cloud_browser_sessions',
      help: 'Live sessions, by state.',
      labelNames: ['state'],
      registers,
      collect() {
        const sessions = read();
        for (const state of ['starting', 'running'] as const)
          this.set(
            { state },
            sessions.filter((session) => (session.state === 'starting') === (state === 'starting')).length,
          );
      },
    });
    new Gauge({
      name: 'cloud_browser_sessions_standby',
      help: 'Live sessions that are frozen because nobody uses them.',
      registers,
      collect() {
        this.set(read().filter(({ standby }) => standby).length);
      },
    });
    const viewers: Gauge = new Gauge({
      name: 'cloud_browser_viewers',
      help: 'Connected viewers.',
      registers,
      collect: (): void => viewers.set(this.viewers),
    });
  }
}
