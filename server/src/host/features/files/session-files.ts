import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { FileTarget, InputEvent, OfferedFile, Role, Upload } from 'cloud-browser/protocol';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { Clock } from '../../../platform/time/clock.js';
import { repeat, type Repetition } from '../../../platform/time/repeat.js';
import type { BrowserFiles } from '../../browser/files/browser-files.js';
import type { PageChooser } from '../../browser/files/choosers.js';
import { downloadPath, INNER_UPLOADS, uploadsDirectory } from '../../browser/files/file-places.js';
import type { ActingAgent } from '../../room/calls/access.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';
import { NOTICES } from '../../room/notices.js';
import type { Viewer } from '../../room/viewer.js';
import { AgentFiles } from './uploads/agent-files.js';
import { FileCopies } from './uploads/file-copies.js';
import { opensChoosers, OpenChoosers, type OpenChooser } from './uploads/open-choosers.js';
import { Downloads, type DownloadNews } from './downloads/downloads.js';
import { canUse } from '../../room/users/can-use.js';
import { Holder, type Fetcher, type UserDirectory } from './file-access.js';
import { FilePace } from './file-pace.js';
import { FileQuota, type FileLimits } from './file-quota.js';
import { FileServer } from './file-server.js';
import { Prints, type Printable } from './downloads/prints.js';
import type { UploadTarget } from './uploads/upload.js';
import { Uploads } from './uploads/uploads.js';

/** Directory of printed pages, relative to the session's directory. The browser cannot reach it. */
const PRINTS = 'prints';
/** Milliseconds between two checks for stalled transfers. */
const LOOK_INTERVAL_MS = 1_000;
const [MAY_SEND, MAY_FETCH]: [Role, Role] = ['file_upload', 'file_download'];

/** A browser, as the file services see it. */
export interface FileBrowser extends Printable {
  files: BrowserFiles;
  /** Drops files at a place of the screen. Returns the page at that place. */
  drop(at: { x: number; y: number }, paths: readonly string[]): Promise<CdpSession | undefined>;
}

/** Parts of {@link SessionFiles}. */
export interface SessionFilesParts {
  /** The session's own directory. */
  place: string;
  limits: FileLimits;
  clock: Clock;
  calls: Calls;
  /** Called when a user sends or fetches files. */
  onActivity: () => void;
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
  readonly #server: FileServer;
  readonly #prints: Prints;
  readonly #quota: FileQuota;
  #browser: FileBrowser | undefined;
  #people: UserDirectory | undefined;
  /** The user who acted last. The next file request of a page goes to this user. */
  #actor: Viewer | undefined;
  readonly #looks: Repetition;
  #closed = false;

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
    const { agent = () => undefined } = parts;
    this.agents = new AgentFiles(this.#uploads, this.#copies, agent, clock);
    this.#choosers = new OpenChoosers(clock, ({ id, viewer }) =>
      calls.publish('files.onChooserClosed', [id], (one) => one.user === viewer.user),
    );
    this.#server = new FileServer(this.#uploads, this.#downloads, pace, clock, () => {
      onActivity();
      this.#looks.wake();
    });
    this.#prints = new Prints(join(place, PRINTS), PRINTS, this.#downloads, clock);
  }

  /** Uses a browser, at the start and after a restart. */
  use(browser: FileBrowser, people: UserDirectory): void {
    this.#browser = browser;
    this.#people = people;
    const { files } = browser;
    files.onChooser = (chooser) => void this.#ask(chooser);
    files.pathOf = (download) => this.#copies.pathOf(download);
    files.onPrint = () => this.#print(browser);
    files.downloads.listener = {
      onBegin: (id, name) => {
        if (!this.#wanted() || !this.#downloads.begin(id, name, 'download', downloadPath(id)))
          files.downloads.cancel(id);
        this.#looks.wake();
      },
      onProgress: (id, received, size) => void this.#downloads.progress(id, received, size),
      onEnd: (id, received) => this.#downloads.ended(id, received),
    };
    void this.letDownload();
  }

  /**
   * Handles new users and changed roles. Resolves when pages can offer files, or at once if no user may have
   * files.
   */
  async letDownload(): Promise<void> {
    if (this.#anybodyMayFetch) await this.#browser?.files.downloads.allow();
  }

  /** Ends the choosers and running transfers of the browser that has ended. */
  browserIsGone(): void {
    this.#browser = undefined;
    this.#choosers.close();
    this.agents.browserIsGone();
    this.#downloads.browserIsGone();
  }

  /** Records input that the session accepted. */
  acted(viewer: Viewer, event: InputEvent): void {
    if (!opensChoosers(event)) return;
    this.#actor = viewer;
    this.agents.userActed();
  }

  /** Sends a subscribed viewer the choosers that wait for its user, each once. */
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

  /** Accepts an upload of a user. Throws {@link CallError}. */
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
    const holder = new Holder(viewer, MAY_SEND, admin, () => this.#people, this.parts.clock);
    const goal =
      'chooser' in target ? this.#goalOfChooser(target.chooser, holder) : this.#goalOfDrop(target, holder);
    const upload = this.#uploads.offer(holder, goal, files);
    if ('chooser' in target) this.#chooserOf(target.chooser, holder).taken = true;
    this.#looks.wake();
    return upload;
  }

  /** Accepts a file of an agent, to be chosen later. Throws {@link CallError}. */
  async stage(acting: ActingAgent, file: OfferedFile): Promise<Upload> {
    await mkdir(uploadsDirectory(this.parts.place), { recursive: true, mode: 0o700 });
    const upload = this.agents.kept.offer(acting, file);
    this.#looks.wake();
    return upload;
  }

  /** Gives a user's complete upload to its page. */
  async finish(viewer: Viewer, upload: string): Promise<void> {
    this.#uploadOf(upload, viewer);
    await this.#uploads.finish(upload);
  }

  /**
   * Cancels a user's own upload, or any download.
   *
   * @param fetches true if the caller may download files
   */
  cancel(viewer: Viewer | undefined, fetches: boolean, id: string): void {
    const chooser = this.#choosers.get(id);
    if (chooser && chooser.viewer.user === viewer?.user) return this.#choosers.cancel(chooser);
    if (fetches && this.#downloads.cancel(id)) return;
    if (viewer) this.#uploads.cancel(this.#uploadOf(id, viewer));
    else throw new CallError('err_download_gone', 'There is no such download, or it was removed.');
  }

  get downloads(): Pick<Downloads, 'list' | 'remove' | 'ticket'> {
    return this.#downloads;
  }

  /** Returns a user as the receiver of a download. */
  fetchingUser(viewer: Viewer, admin: boolean): Fetcher {
    return new Holder(viewer, MAY_FETCH, admin, () => this.#people, this.parts.clock);
  }

  /** Cancels everything. Resolves when no file is left on the disk. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#looks.stop();
    this.#choosers.close();
    this.agents.browserIsGone();
    this.#server.close();
    await Promise.all([this.#uploads.close(), this.#downloads.close()]);
    const { place } = this.parts;
    const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => undefined);
    await Promise.all([uploadsDirectory(place), join(place, PRINTS)].map(remove));
  }

  async #ask(chooser: PageChooser): Promise<void> {
    const [viewer, browser] = [this.#actor, this.#browser];
    if (browser && !this.#closed && (await this.agents.ask(chooser, browser.files))) {
      this.#looks.wake();
      return;
    }
    const may = viewer && !viewer.gone && canUse(viewer, MAY_SEND);
    // A user may not fill a field that is masked for them.
    const masked = viewer && may && !this.#mayUnmask(viewer) && (await browser?.files.isMasked(chooser));
    if (viewer && may && !masked && !this.#closed) {
      this.#choosers.open(chooser, viewer);
      this.#looks.wake();
      this.tellChoosers(viewer);
      return;
    }
    if (viewer && !may) viewer.send(NOTICES.uploadRefused);
    if (masked) viewer.send(NOTICES.fieldMasked);
    await chooser.cancel().catch(() => undefined);
    chooser.close();
  }

  #mayUnmask(viewer: Viewer): boolean {
    return canUse(viewer, 'field_masking');
  }

  /**
   * Returns true if any user may have files. Notifies the user who acted last if this user may not have them.
   */
  #wanted(): boolean {
    const viewer = this.#actor;
    if (viewer && !viewer.gone && !canUse(viewer, MAY_FETCH)) viewer.send(NOTICES.downloadRefused);
    return this.#anybodyMayFetch && !this.#closed;
  }

  get #anybodyMayFetch(): boolean {
    const viewers = [...(this.#people?.viewers() ?? [])];
    return viewers.some((viewer) => canUse(viewer, MAY_FETCH)) || this.parts.programMayFetch?.() === true;
  }

  #print(browser: FileBrowser): void {
    if (!this.#wanted()) return;
    this.#prints.begin(browser, randomUUID());
    this.#looks.wake();
  }

  #chooserOf(id: string, holder: Holder): OpenChooser {
    const chooser = this.#choosers.get(id);
    if (chooser && holder.is(chooser.viewer) && !chooser.taken) return chooser;
    throw new CallError('err_chooser_gone', 'The page does not wait for files any more.');
  }

  #goalOfChooser(id: string, holder: Holder): UploadTarget {
    const chooser = this.#chooserOf(id, holder);
    const { page } = chooser;
    return {
      directory: page.directory,
      give: async (paths) => {
        const fits = page.multiple ? paths : paths.slice(0, 1);
        const give = async () => {
          await page.give(fits);
          return true;
        };
        const given = await holder.connection.input.inTurn(undefined, give).catch(() => false);
        this.#choosers.answered(chooser);
        if (!given) throw new CallError('err_chooser_gone', 'The page does not wait for files any more.');
      },
      abandon: () => this.#choosers.cancel(chooser),
      over: page.page.ended,
    };
  }

  #goalOfDrop(at: { x: number; y: number }, holder: Holder): UploadTarget {
    const browser = this.#browser;
    const controls = () => holder.may && this.#people?.controls(holder.connection.userId) === true;
    if (!browser || !controls()) throw dropRefused();
    let page: CdpSession | undefined;
    return {
      directory: false,
      give: async (paths) => {
        const drop = async () => (page = await browser.drop(at, paths)) !== undefined;
        if (!controls() || !(await holder.connection.input.inTurn(at, drop))) throw dropRefused();
      },
      abandon: () => undefined,
      get over() {
        return page?.ended ?? browser.gone;
      },
    };
  }

  #uploadOf(id: string, viewer: Viewer) {
    const upload = this.#uploads.get(id);
    if (upload.holder.is(viewer)) return upload;
    // The error is the same as for an unknown id, so that it does not reveal other users' uploads.
    throw new CallError(
      'err_upload_gone',
      'There is no such upload: it was cancelled, or no bytes arrived for half a minute.',
    );
  }

  #look(): void {
    this.#uploads.look();
    this.#downloads.look();
    this.#server.look();
    this.#choosers.look(({ userId, user }) => {
      const here = this.#people?.viewer(userId);
      return here?.user === user && canUse(here, MAY_SEND);
    });
    this.agents.look();
    if (!this.busy && !this.#choosers.any && !this.agents.any) this.#looks.runIn(Infinity);
  }
}

function dropRefused(): CallError {
  return new CallError(
    'err_drop_refused',
    'No page accepted the files at this position, or you may not act on the page now.',
  );
}
