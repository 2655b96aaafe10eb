import type { Duplex } from 'node:stream';
import type { InputEvent } from 'cloud-browser/protocol';
import { systemClock } from '../platform/clock.js';
import type { SessionLimits } from '../platform/session-limits.js';
import { AccessibilityDesk } from './accessibility/accessibility-desk.js';
import { TabDriver } from './browser/bridge/tab-driver.js';
import { addFileCalls } from './files/file-calls.js';
import { SessionFiles } from './files/session-files.js';
import type { Calls } from './room/calls/calls.js';
import { TabCalls } from './room/calls/tab-calls.js';
import type { Room } from './room/room.js';
import type { Viewer } from './room/viewer.js';
import type { Workstation } from './workstation.js';

/** What users have of a session's browser beside its picture: its tabs, its files, its accessibility tree. Browsers come and go meanwhile. */
export class BrowserServices {
  readonly #tabs: TabCalls;
  readonly #files: SessionFiles;
  readonly #accessibility: AccessibilityDesk;
  #workstation: Workstation | undefined;

  /**
   * @param place the session's directory
   * @param onActivity told that somebody uses the session
   */
  constructor(
    calls: Calls,
    place: string,
    { fileBytes, filesBytes }: Pick<SessionLimits, 'fileBytes' | 'filesBytes'>,
    private readonly onActivity: () => void,
  ) {
    this.#tabs = new TabCalls(calls);
    const limits = { perFile: fileBytes, perSession: filesBytes };
    this.#files = new SessionFiles({ place, limits, clock: systemClock, calls, onActivity });
    addFileCalls(calls, this.#files);
    this.#accessibility = new AccessibilityDesk(calls, (viewer, event) => this.acted(viewer, event));
  }

  /** Uses a browser that was started; without `people` there is nobody yet who could. */
  use(workstation: Workstation, people: Room['people'] | undefined): void {
    this.#workstation = workstation;
    const { bridge, devices } = workstation;
    const driver = new TabDriver(bridge, devices.pages, (renderer) => workstation.endRenderer(renderer));
    this.#tabs.use(bridge, driver);
    if (!people) return;
    this.#files.use(workstation, people);
    this.#accessibility.use(workstation, people);
  }

  /** The browser has ended; another one may come. */
  browserIsGone(): void {
    this.#workstation = undefined;
    this.#tabs.browserIsGone();
    this.#files.browserIsGone();
    this.#accessibility.browserIsGone();
  }

  /** A user has given input, or asked to stay. */
  acted(viewer?: Viewer, event?: InputEvent): void {
    if (viewer && event) this.#files.acted(viewer, event);
    this.onActivity();
    this.#workstation?.acted();
  }

  /** Rights have changed, or who may see the picture. */
  rightsChanged(): void {
    void this.#files.letDownload();
    this.#accessibility.refresh();
  }

  /** Serves requests for files, which come over a channel. */
  serveFiles(channel: Duplex): void {
    this.#files.serve(channel);
  }

  /** Ends all of it. */
  async close(): Promise<void> {
    this.#accessibility.close();
    await this.#files.close();
  }
}
