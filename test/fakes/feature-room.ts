import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Role } from 'cloud-browser/protocol';
import {
  AccessibilityService,
  type AccessibleBrowser,
} from '../../server/src/host/features/accessibility/accessibility-service.js';
import type { CdpSession } from '../../server/src/host/browser/cdp/cdp-session.js';
import type { DownloadListener } from '../../server/src/host/browser/files/browser-downloads.js';
import type { PageChooser } from '../../server/src/host/browser/files/choosers.js';
import { downloadPath } from '../../server/src/host/browser/files/file-places.js';
import { Dialogs } from '../../server/src/host/browser/pages/dialogs.js';
import { dialogs } from '../../server/src/host/features/dialogs/dialogs.js';
import type { Feature, FeatureBrowser, FeatureParts } from '../../server/src/host/features/feature.js';
import { addFileCalls } from '../../server/src/host/features/files/file-calls.js';
import type { FileBrowser } from '../../server/src/host/features/files/file-browser.js';
import { SessionFiles } from '../../server/src/host/features/files/session-files.js';
import { TabCalls, type TabBackend, type TabActions } from '../../server/src/host/features/tabs/tab-calls.js';
import type { Viewer } from '../../server/src/host/room/viewers/viewer.js';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { HostFiles } from '../../server/src/pool/host/host-files.js';
import { FakeRoom, until, type RawClient } from './fake-room.js';

const LIMITS = { perFile: 1_000, perSession: 10_000 };
const never = new Promise<void>(() => undefined);

async function* pdf(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('%PDF'));
}

/**
 * A room with the features that need a browser: tabs, dialogs, files and an accessibility tree. The browser
 * is a fake.
 */
export class FeatureRoom {
  readonly tabs: TabBackend = {
    onEvent: undefined,
    onReopened: undefined,
    open: () => Promise.resolve(),
  };
  /** True: pages can give out files. */
  downloadsAllowed = false;
  /** Called when the session lets pages give out files. Pages can do so when the promise is resolved. */
  onAllow: () => Promise<void> = () => Promise.resolve();
  /** Ids of downloads that the session ended. */
  readonly cancelled: string[] = [];
  /** Files that pages got by a drop. */
  readonly dropped: string[] = [];
  readonly #browser: FileBrowser;
  readonly #dialogs: Feature;
  /** Opens a dialog in the only page. */
  #openDialog: (dialog: object) => void = () => undefined;
  #listener: DownloadListener | undefined;

  private constructor(
    readonly room: FakeRoom,
    readonly files: SessionFiles,
    private readonly accessibility: AccessibilityService,
    private readonly transfers: HostFiles,
    private readonly place: string,
  ) {
    const { calls, users } = room;
    const session = { calls, users, clock: systemClock, onAct: () => undefined };
    this.#dialogs = dialogs(session as unknown as FeatureParts);
    const setListener = (listener: DownloadListener | undefined) => (this.#listener = listener);
    const allow = async () => {
      await this.onAllow();
      this.downloadsAllowed = true;
    };
    const downloads = {
      allow,
      cancel: (id: string) => void this.cancelled.push(id),
      set listener(listener: DownloadListener | undefined) {
        setListener(listener);
      },
    };
    this.#browser = {
      files: {
        downloads,
        onChooser: () => () => undefined,
        onPrint: () => undefined,
        isMasked: () => Promise.resolve(false),
      } as unknown as FileBrowser['files'],
      gone: never,
      print: () => Promise.resolve({ title: 'Page', parts: pdf() }),
      drop: (_at, paths) => {
        this.dropped.push(...paths);
        return Promise.resolve(undefined);
      },
    };
  }

  /** @param masks true if the session has masked fields */
  static async open(masks = false): Promise<FeatureRoom> {
    const room = await FakeRoom.open();
    const { calls } = room;
    const place = await mkdtemp(join(tmpdir(), 'feature-room-'));
    const onActivity = () => undefined;
    const files = new SessionFiles({ place, limits: LIMITS, clock: systemClock, calls, onActivity, masks });
    addFileCalls(calls, files);
    const desk = new AccessibilityService(calls, onActivity);
    const listener = createServer((socket) => files.serve(socket)).listen(join(place, 'channel'));
    await once(listener, 'listening');
    const channel = connect(join(place, 'channel'));
    await once(channel, 'connect');
    listener.close();
    const made = new FeatureRoom(room, files, desk, new HostFiles(channel), place);
    made.#start();
    return made;
  }

  /** Connects a user who has these roles alone. */
  async enter(roles: readonly Role[]): Promise<RawClient> {
    this.room.handover = { roles };
    return this.room.enter();
  }

  viewer({ id }: RawClient): Viewer {
    const viewer = this.room.users.roster.viewer(id);
    if (!viewer) throw new Error(`The user ${id} is not connected.`);
    return viewer;
  }

  /** A page gives out a file. True: the session took it. */
  async giveOut(id: string): Promise<boolean> {
    this.#listener?.onBegin(id, `${id}.txt`);
    if (!this.downloadsAllowed || this.cancelled.includes(id)) return false;
    const path = join(this.place, downloadPath(id));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'abc');
    this.#listener?.onEnd(id, 3);
    return true;
  }

  /** A page is printed. Resolves to the id of the download. */
  async print(): Promise<string> {
    this.#browser.files.onPrint({} as unknown as CdpSession);
    const printed = () =>
      this.files.downloads.list().find(({ kind, state }) => kind === 'print' && state === 'done');
    return (await until(printed)).id;
  }

  /** Fetches a download. Resolves to the status of the answer. */
  async fetch(ticket: string): Promise<number> {
    const { status, body } = await this.transfers.ask({ method: 'GET', ticket, offset: 0 });
    body.resume();
    return status;
  }

  /** A page asks a user for a file. */
  ask(client: RawClient): void {
    this.files.acted(this.viewer(client), { type: 'text', seq: 1, modifiers: 0, text: 'x' });
    this.#browser.files.onChooser()({
      ...{ page: { ended: never }, frame: 'f', node: 1, multiple: false, directory: false, accept: '' },
      gone: never,
      close: () => undefined,
      cancel: () => Promise.resolve(),
      give: () => Promise.resolve(),
    } as unknown as PageChooser);
  }

  /** The page opens a dialog. */
  openDialog(): void {
    this.#openDialog({ type: 'confirm', message: 'Go on?', url: 'https://example.com/' });
  }

  async close(): Promise<void> {
    this.room.close();
    await this.#dialogs.stop?.();
    this.accessibility.close();
    this.transfers.close();
    await this.files.close();
    await rm(this.place, { recursive: true, force: true });
  }

  #start(): void {
    const { room, files, accessibility } = this;
    const { roster } = room.users;
    files.use(this.#browser, roster);
    const tree = { listener: undefined, want: () => undefined, tree: undefined, state: 'complete' };
    accessibility.use(
      {
        accessibility: { ...tree, masking: false } as unknown as AccessibleBrowser['accessibility'],
        accessibilityActions: { perform: () => Promise.resolve('done') },
      },
      roster,
    );
    const driver: TabActions = {
      call: () => Promise.resolve({ result: [] }),
      followDialogs: () => undefined,
      openDialogs: () => Promise.resolve([]),
      answerDialog: () => Promise.resolve(true),
    };
    new TabCalls(room.calls).use(this.tabs, driver);
    const page = {
      ...{ ended: never, prepare: () => Promise.resolve(), send: () => Promise.resolve({}) },
      on: (event: string, opens: (dialog: object) => void) => {
        if (event === 'Page.javascriptDialogOpening') this.#openDialog = opens;
      },
    } as unknown as CdpSession;
    const pages = { all: [page], dialogs: new Dialogs() };
    pages.dialogs.follow(page);
    this.#dialogs.browserStarted?.({ devices: { pages } } as unknown as FeatureBrowser);
    room.onRights = () => {
      this.#dialogs.rightsChanged?.();
      void files.letDownload();
      accessibility.refresh();
    };
  }
}
