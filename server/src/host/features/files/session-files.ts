import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { FileTarget, InputEvent, OfferedFile, Role, Upload } from 'cloud-browser/protocol';
import type { Clock } from '../../../platform/time/clock.js';
import { repeat, type Repetition } from '../../../platform/time/repeat.js';
import { INNER_UPLOADS, uploadsDirectory } from '../../browser/files/file-places.js';
import type { ActingAgent } from '../../room/calls/access.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import { AgentFiles } from './uploads/agent-files.js';
import { FileCopies } from './uploads/file-copies.js';
import { OpenChoosers } from './uploads/open-choosers.js';
import { downloadGone, Downloads, type DownloadNews } from './downloads/downloads.js';
import { canUse, type RightsHolder } from '../../room/users/can-use.js';
import { Holder, type Fetcher, type UserDirectory } from './file-access.js';
import type { FileBrowser } from './file-browser.js';
import { FilePace } from './file-pace.js';
import { FileQuota, type FileLimits } from './file-quota.js';
import { FileServer } from './file-server.js';
import { PageRequests } from './page-requests.js';
import { Prints } from './downloads/prints.js';
import { UploadTargets } from './uploads/upload-targets.js';
import { uploadGone, Uploads } from './uploads/uploads.js';

/** Directory of printed pages, relative to the session's directory. The browser cannot reach it. */
const PRINTS = 'prints';
/** Milliseconds between two checks for stalled transfers. */
const LOOK_INTERVAL_MS = 1_000;
const [MAY_SEND, MAY_FETCH]: [Role, Role] = ['file_upload', 'file_download'];

/** Parts of a session that {@link SessionFiles} uses. */
export interface SessionFilesParts {
  /** The session's own directory. */
  place: string;
  limits: FileLimits;
  clock: Clock;
  calls: Calls;
  /** Called when a user sends or fetches files. */
  onActivity: () => void;
  /** True if the session has masked fields. */
  masks?: boolean;
  /** Returns true if a program that drives the session may fetch files. */
  programMayFetch?: () => boolean;
  /** Returns an agent of the session. */
  agent?: ConstructorParameters<typeof AgentFiles>[2];
}

/**
 * The files of a session: choosers, uploads and downloads, with their permissions. All files are removed when
 * the session ends.
 */
export class SessionFiles {
  /** The files that programs give to pages. */
  readonly agents: AgentFiles;
  readonly #uploads: Uploads;
  readonly #downloads: Downloads;
  readonly #copies: FileCopies;
  readonly #choosers: OpenChoosers;
  readonly #targets: UploadTargets;
  readonly #requests: PageRequests;
  readonly #server: FileServer;
  readonly #prints: Prints;
  readonly #quota: FileQuota;
  #browser: FileBrowser | undefined;
  #people: UserDirectory | undefined;
  readonly #looks: Repetition;

  constructor(private readonly parts: SessionFilesParts) {
    const { place, limits, clock, calls, onActivity } = parts;
    const pace = new FilePace(clock);
    this.#quota = new FileQuota(limits);
    this.#looks = repeat(clock, { every: LOOK_INTERVAL_MS, first: Infinity }, () => this.#look());
    const pass = (bytes: number) => pace.pass(bytes);
    this.#uploads = new Uploads(uploadsDirectory(place), INNER_UPLOADS, this.#quota, clock, pass);
    const mayFetch = (viewer: Viewer) => canUse(viewer, MAY_FETCH);
    const news: DownloadNews = {
      onDownload: (download) => void calls.publish('files.onDownload', [download], mayFetch),
      onRemoved: (id) => {
        void this.#copies.remove(id);
        calls.publish('files.onRemoved', [id], mayFetch);
      },
    };
    this.#downloads = new Downloads(place, this.#quota, clock, news, (id) => {
      this.#browser?.files.downloads.cancel(id);
      this.#prints.cancel(id);
    });
    const copies = uploadsDirectory(place);
    this.#copies = new FileCopies(copies, INNER_UPLOADS, this.#quota, this.#downloads, pass);
    const { agent = () => undefined, programMayFetch = () => false } = parts;
    this.agents = new AgentFiles(this.#uploads, this.#copies, agent, clock, (fetcher, id) =>
      this.checkPrint(fetcher, id),
    );
    this.#choosers = new OpenChoosers(clock, ({ id, viewer }) =>
      calls.publish('files.onChooserClosed', [id], (one) => one.user === viewer.user),
    );
    const people = () => this.#people;
    const browser = () => this.#browser;
    this.#targets = new UploadTargets(this.#choosers, browser, people);
    this.#server = new FileServer(this.#uploads, this.#downloads, pace, clock, () => {
      onActivity();
      this.#looks.wake();
    });
    this.#prints = new Prints(join(place, PRINTS), PRINTS, this.#downloads, clock);
    this.#requests = new PageRequests({
      ...{ agents: this.agents, choosers: this.#choosers, downloads: this.#downloads, prints: this.#prints },
      ...{ browser, people, programMayFetch, clock },
      tellChoosers: (viewer) => this.tellChoosers(viewer),
      onBegin: () => this.#looks.wake(),
    });
  }

  /** Uses a browser that has started or restarted. */
  use(browser: FileBrowser, people: UserDirectory): void {
    this.#browser = browser;
    this.#people = people;
    browser.files.pathOf = (download) => this.#copies.pathOf(download);
    browser.files.uploadOf = (upload, ended) => this.agents.kept.giveTo(ended, upload);
    this.#requests.use(browser);
    void this.letDownload();
  }

  /**
   * Allows pages to offer downloads if any user or program may fetch files. Call it after users have joined
   * or roles have changed. Resolves when pages can offer files, or at once if nobody may fetch them.
   */
  async letDownload(): Promise<void> {
    if (this.#requests.anyoneMayFetch) await this.#browser?.files.downloads.allow();
  }

  /** Ends the file choosers and the incomplete downloads of the browser that has ended. */
  browserIsGone(): void {
    this.#browser = undefined;
    this.#prints.browserIsGone();
    this.#choosers.close();
    this.agents.browserIsGone();
    this.#downloads.browserIsGone();
  }

  /** Records input that the session accepted. */
  acted(viewer: Viewer, event: InputEvent): void {
    this.#requests.acted(viewer, event);
  }

  /** Records input of an agent. */
  agentActed(agent: Parameters<AgentFiles['acted']>[0], event: InputEvent): void {
    this.agents.acted(agent, event);
    this.#requests.agentActed(event);
  }

  /** Sends a subscribed viewer the file choosers that wait for the viewer's user. Sends each chooser once. */
  tellChoosers(viewer: Viewer): void {
    if (!canUse(viewer, MAY_SEND)) return;
    const { calls } = this.parts;
    this.#choosers.tell(
      viewer.user,
      (asked) => calls.publish('files.onChooser', [asked], (one) => one === viewer) > 0,
    );
  }

  /** True while files are sent or received. */
  get busy(): boolean {
    return this.#uploads.any || this.#downloads.running || this.#server.busy;
  }

  /** Serves the requests for files that the service forwards. */
  serve(channel: Duplex): void {
    this.#server.serve(channel);
  }

  /** Accepts an upload of a user, or further files for a running upload. Rejects with {@link CallError}. */
  async offer(
    viewer: Viewer,
    admin: boolean,
    target: FileTarget,
    files: readonly OfferedFile[],
  ): Promise<Upload> {
    if (files.length === 0) throw new CallError('err_invalid_parameter', 'Name at least one file.');
    if ('upload' in target) {
      this.#uploadOf(target.upload, viewer);
      return this.#uploads.more(target.upload, files);
    }
    await mkdir(uploadsDirectory(this.parts.place), { recursive: true, mode: 0o700 });
    const holder = this.#holderOf(viewer, MAY_SEND, admin);
    const upload = this.#uploads.offer(holder, this.#targets.find(target, holder), files);
    this.#targets.taken(target, holder);
    this.#looks.wake();
    return upload;
  }

  /** Accepts a file that an agent can choose later. Rejects with {@link CallError}. */
  async stage(acting: ActingAgent, file: OfferedFile): Promise<Upload> {
    await mkdir(uploadsDirectory(this.parts.place), { recursive: true, mode: 0o700 });
    const upload = this.agents.kept.offer(acting, file);
    this.#looks.wake();
    return upload;
  }

  /** Gives the files of a user's complete upload to the page. */
  async finish(viewer: Viewer, upload: string): Promise<void> {
    if (this.#uploads.finishedBy(upload) !== viewer.user) this.#uploadOf(upload, viewer);
    await this.#uploads.finish(upload);
  }

  /**
   * Cancels a file chooser or an upload of the calling user. A caller who may fetch downloads can also cancel
   * any download. Throws {@link CallError}.
   *
   * @param fetches true if the caller may fetch downloads
   */
  cancel(viewer: Viewer | undefined, fetches: boolean, id: string): void {
    const chooser = this.#choosers.get(id);
    if (chooser && chooser.viewer.user === viewer?.user) return this.#choosers.cancel(chooser);
    if (fetches && this.#downloads.cancel(id)) return;
    if (viewer) this.#uploads.cancel(this.#uploadOf(id, viewer));
    else throw downloadGone();
  }

  /**
   * Throws {@link CallError} if a download is a printed page that an agent may not read. A printed page shows
   * the content of masked fields. Users see this content in the picture, but agents need the role.
   */
  checkPrint(agent: RightsHolder, id: string): void {
    if (this.parts.masks !== true || canUse(agent, 'field_masking')) return;
    if (!this.#downloads.list().some((one) => one.id === id && one.kind === 'print')) return;
    const message =
      'A printed page shows masked fields, so a program needs the role field_masking to get it.';
    throw new CallError('err_forbidden', message);
  }

  get downloads(): Pick<Downloads, 'list' | 'remove' | 'ticket'> {
    return this.#downloads;
  }

  /** Returns a user as the receiver of a download. */
  fetchingUser(viewer: Viewer, admin: boolean): Fetcher {
    return this.#holderOf(viewer, MAY_FETCH, admin);
  }

  /** Cancels all transfers and choosers. Resolves when no file is left on the disk. */
  async close(): Promise<void> {
    this.#requests.close();
    this.#prints.browserIsGone();
    this.#looks.stop();
    this.#choosers.close();
    this.agents.browserIsGone();
    this.#server.close();
    await Promise.all([this.#uploads.close(), this.#downloads.close()]);
    const { place } = this.parts;
    const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => undefined);
    await Promise.all([uploadsDirectory(place), join(place, PRINTS)].map(remove));
  }

  #holderOf(viewer: Viewer, role: Role, admin: boolean): Holder {
    const { calls, clock } = this.parts;
    const { adminBy } = viewer;
    // The token may end before the transfer begins, and while it runs.
    const isAdmin = () => admin && calls.isAdminHash(adminBy);
    return new Holder(viewer, role, isAdmin, () => this.#people, clock);
  }

  #uploadOf(id: string, viewer: Viewer) {
    const upload = this.#uploads.get(id);
    // The error is the same as for an unknown id, so that it does not reveal other users' uploads.
    if (upload.holder.user !== viewer.user) throw uploadGone();
    return upload;
  }

  #look(): void {
    this.#uploads.look();
    this.#downloads.look();
    this.#server.look();
    this.#choosers.look((viewer) => {
      const here = this.#people?.viewer(viewer.userId);
      if (here?.user !== viewer.user) return viewer.sentAway ? undefined : viewer;
      return canUse(here, MAY_SEND) ? here : undefined;
    });
    this.agents.look();
    if (!this.busy && !this.#choosers.any && !this.agents.any) this.#looks.runIn(Infinity);
  }
}
