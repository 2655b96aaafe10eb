import type { Download, DownloadFailure, DownloadState } from 'cloud-browser/protocol';
import { PacedTask } from '../../../../platform/time/paced-task.js';
import type { Clock } from '../../../../platform/time/clock.js';

/** Rate of progress reports to users. */
const NEWS = { perSecond: 4, burst: 1 };

/** A file that a page offers for download, or a printed page. */
export class DownloadEntry {
  state: DownloadState = 'running';
  failure: DownloadFailure | undefined;
  /** Size in bytes; null while it is unknown. */
  size: number | null = null;
  received = 0;
  readonly #news: PacedTask;

  /**
   * @param path path of the download's file, relative to the session's directory
   * @param movedAt time of the last byte, or of the start
   * @param tell sends the download's state to users
   */
  constructor(
    readonly id: string,
    readonly name: string,
    readonly kind: Download['kind'],
    readonly path: string,
    public movedAt: number,
    private readonly tell: () => void,
    clock: Clock,
    /** True if a user or program caused the download, so that no page began it on its own. */
    readonly isCaused = false,
  ) {
    this.#news = new PacedTask(tell, NEWS, clock);
  }

  /** The download as users receive it. */
  get view(): Download {
    const { id, name, size, received, state, failure, kind } = this;
    return { id, name, size, received, state, ...(failure && { failure }), kind };
  }

  moved(received: number, size: number | null, now: number): void {
    if (received > this.received) this.movedAt = now;
    this.received = received;
    this.size = size;
    this.#news.ask();
  }

  end(state: Exclude<DownloadState, 'running'>, failure?: DownloadFailure): void {
    this.state = state;
    this.failure = failure;
    if (state === 'done') this.size = this.received;
    this.#news.close();
    this.tell();
  }

  close(): void {
    this.#news.close();
  }
}
