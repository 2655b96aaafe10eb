import { randomUUID } from 'node:crypto';
import type { InputEvent } from 'cloud-browser/protocol';
import { TokenBucket } from '../../../platform/rates/token-bucket.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { PageChooser } from '../../browser/files/choosers.js';
import { downloadPath } from '../../browser/files/file-places.js';
import { NOTICES } from '../../room/notices.js';
import { canUse } from '../../room/users/can-use.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import type { Downloads } from './downloads/downloads.js';
import type { Prints } from './downloads/prints.js';
import type { UserDirectory } from './file-access.js';
import type { FileBrowser } from './file-browser.js';
import type { AgentFiles } from './uploads/agent-files.js';
import { opensChoosers, type OpenChoosers } from './uploads/open-choosers.js';

/** Limits the rate at which pages can notify one user that this user may not fetch files. */
const NOTICE_PACE = { perSecond: 1, burst: 3 };

/**
 * Number of downloads and prints that count as caused by the last press or key, and the time in milliseconds
 * after which no more do. A page may need some time to make a file. A page that a user clicks once cannot
 * take all places of the list.
 */
const CAUSED = { most: 16, withinMs: 30_000 };

/** Parts of a session that {@link PageRequests} uses. */
export interface PageRequestsParts {
  agents: AgentFiles;
  choosers: OpenChoosers;
  downloads: Downloads;
  prints: Prints;
  /** Returns the current browser. */
  browser: () => FileBrowser | undefined;
  people: () => UserDirectory | undefined;
  /** Returns true if a program that drives the session may fetch files. */
  programMayFetch: () => boolean;
  /** Sends a user the file choosers that wait for this user. */
  tellChoosers: (viewer: Viewer) => void;
  /** Called when a request has begun. From then on, the timeouts of the request must be checked regularly. */
  onBegin: () => void;
  clock: Pick<Clock, 'now'>;
}

/**
 * Handles requests of pages to choose files, to download and to print. If an agent acted last before the page
 * asked, and may upload, it gets the file chooser. Otherwise the user who acted last before that gets the
 * chooser. If this user may not upload, the chooser is cancelled. A download or print is refused if no user
 * or program may fetch files.
 */
export class PageRequests {
  /** The user who acted last. The next request of a page goes to this user if no agent gets it. */
  #actor: Viewer | undefined;
  /** Number of downloads that still count as caused by the last input, and the end of its time. */
  #caused = { left: 0, until: -Infinity };
  #closed = false;
  /** The rate of the notices to each user. */
  readonly #notices = new WeakMap<Viewer['user'], TokenBucket>();

  constructor(private readonly parts: PageRequestsParts) {}

  /** Handles the requests of a browser's pages. */
  use(browser: FileBrowser): void {
    const { files } = browser;
    const { downloads, onBegin } = this.parts;
    files.onChooser = () => this.#asked();
    files.onPrint = (page) => this.#print(browser, page);
    files.downloads.listener = {
      onBegin: (id, name) => {
        const mayBegin = this.#fetchable(NOTICES.downloadRefused);
        if (!mayBegin || !downloads.begin(id, name, 'download', downloadPath(id), this.#isCaused()))
          files.downloads.cancel(id);
        onBegin();
      },
      onProgress: (id, received, size) => void downloads.progress(id, received, size),
      onEnd: (id, received) => downloads.ended(id, received),
    };
  }

  /** Records input that the session accepted. */
  acted(viewer: Viewer, event: InputEvent): void {
    if (!opensChoosers(event)) return;
    this.#actor = viewer;
    this.parts.agents.userActed();
    this.agentActed(event);
  }

  /** Records input of an agent. */
  agentActed(event: InputEvent): void {
    if (!opensChoosers(event)) return;
    this.#caused = { left: CAUSED.most, until: this.parts.clock.now() + CAUSED.withinMs };
  }

  /** True if any user or program may fetch files. */
  get anyoneMayFetch(): boolean {
    const viewers = [...(this.parts.people()?.viewers() ?? [])];
    return viewers.some((viewer) => canUse(viewer, 'file_download')) || this.parts.programMayFetch();
  }

  /** Refuses all requests from now on. */
  close(): void {
    this.#closed = true;
  }

  /** Counts a download. Returns true if the last input of a user or agent has caused it. */
  #isCaused(): boolean {
    const { left, until } = this.#caused;
    if (left === 0 || this.parts.clock.now() >= until) return false;
    this.#caused.left -= 1;
    return true;
  }

  /** Returns the newest connection of a user. The user may have reconnected since. */
  #newest(actor: Viewer | undefined): Viewer | undefined {
    const here = actor && this.parts.people()?.viewer(actor.userId);
    return here?.user === actor?.user ? here : actor;
  }

  /** Returns a function that opens a chooser for the agent or user who acted last before this call. */
  #asked(): (chooser: PageChooser) => void {
    const [agent, actor] = [this.parts.agents.actor, this.#actor];
    return (chooser) => void this.#choose(chooser, agent, actor);
  }

  async #choose(chooser: PageChooser, agent: AgentFiles['actor'], actor: Viewer | undefined): Promise<void> {
    const { agents, choosers, tellChoosers, onBegin } = this.parts;
    const [viewer, browser] = [this.#newest(actor), this.parts.browser()];
    if (browser && !this.#closed && (await agents.ask(agent, chooser, browser.files))) {
      onBegin();
      return;
    }
    const may = viewer && !viewer.gone && canUse(viewer, 'file_upload');
    // A user may not fill a field that is masked for them.
    const masked =
      viewer && may && !canUse(viewer, 'field_masking') && (await browser?.files.isMasked(chooser));
    if (viewer && may && !masked && !this.#closed) {
      choosers.open(chooser, viewer);
      onBegin();
      tellChoosers(viewer);
      return;
    }
    if (viewer && !may) viewer.send(NOTICES.uploadRefused);
    if (masked) viewer.send(NOTICES.fieldMasked);
    await chooser.cancel().catch(() => undefined);
    chooser.close();
  }

  /**
   * Returns true if any user or program may fetch files. Notifies the user who acted last if this user may
   * not fetch files.
   */
  #fetchable(refusal: typeof NOTICES.downloadRefused | typeof NOTICES.printRefused): boolean {
    const viewer = this.#newest(this.#actor);
    const isRefused = viewer && !viewer.gone && !canUse(viewer, 'file_download');
    if (isRefused && this.#noticesTo(viewer).take()) viewer.send(refusal);
    return this.anyoneMayFetch && !this.#closed;
  }

  #noticesTo({ user }: Viewer): TokenBucket {
    const notices = this.#notices.get(user) ?? new TokenBucket(NOTICE_PACE, this.parts.clock);
    this.#notices.set(user, notices);
    return notices;
  }

  #print(browser: FileBrowser, page: CdpSession): void {
    if (this.#fetchable(NOTICES.printRefused))
      this.parts.prints.begin(browser, page, randomUUID(), () => this.#isCaused());
    this.parts.onBegin();
  }
}
