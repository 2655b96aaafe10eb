import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { BrowserFiles } from '../../../../server/src/host/browser/files/browser-files.js';
import type { BrowserDownloads } from '../../../../server/src/host/browser/files/browser-downloads.js';
import type { PageChooser } from '../../../../server/src/host/browser/files/choosers.js';
import type { Downloads } from '../../../../server/src/host/features/files/downloads/downloads.js';
import { Prints } from '../../../../server/src/host/features/files/downloads/prints.js';
import type { FileBrowser } from '../../../../server/src/host/features/files/file-browser.js';
import {
  PageRequests,
  type PageRequestsParts,
} from '../../../../server/src/host/features/files/page-requests.js';
import { NOTICES } from '../../../../server/src/host/room/notices.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { FakePeople } from '../../../fakes/file-holder.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';

const PRESS = { type: 'button', seq: 1, modifiers: 0, x: 1, y: 1, button: 0, pressed: true } as const;
const PAGE = {} as unknown as CdpSession;

/** The file requests of a page. `ask` opens a file chooser of the page. */
function setUp() {
  const clock = new ManualClock();
  const people = new FakePeople(clock);
  const opened: unknown[] = [];
  let cancelled = 0;
  const files = {
    downloads: { cancel: () => undefined, listener: undefined } as Pick<
      BrowserDownloads,
      'listener' | 'cancel'
    >,
    onChooser: undefined as (() => (chooser: PageChooser) => void) | undefined,
    onPrint: undefined as ((page: CdpSession) => void) | undefined,
  };
  const caused: boolean[] = [];
  const downloads = {
    begin: (...[, , , , isCaused]: Parameters<Downloads['begin']>) => caused.push(isCaused) > 0,
    progress: () => true,
    ended: () => undefined,
  };
  const printed: CdpSession[] = [];
  const print = (page: CdpSession) => {
    printed.push(page);
    return Promise.resolve({ title: '', parts: [] });
  };
  const browser = { files, print } as unknown as FileBrowser;
  const requests = new PageRequests({
    agents: { userActed: () => undefined, ask: () => Promise.resolve(false) },
    choosers: { open: (_: PageChooser, viewer: Viewer) => opened.push(viewer) },
    browser: () => browser,
    people: () => ({ viewer: (id: string) => people.here.get(id), viewers: () => people.here.values() }),
    prints: new Prints('', 'prints', downloads, clock),
    programMayFetch: () => false,
    downloads,
    tellChoosers: () => undefined,
    onBegin: () => undefined,
    clock,
  } as unknown as PageRequestsParts);
  requests.use(browser);
  const ask = async () => {
    const cancel = () => Promise.resolve(void (cancelled += 1));
    files.onChooser?.()({ cancel, close: () => undefined } as unknown as PageChooser);
    await turn();
  };
  return {
    ...{ clock, people, requests, opened, ask, print: (page = PAGE) => files.onPrint?.(page) },
    ...{ cancelled: () => cancelled, printed, caused },
    download: () => files.downloads.listener?.onBegin('id', 'name'),
  };
}

test('16 downloads within 30 seconds after a press or key of a user or program count as caused by it', () => {
  const { people, requests, download, caused, clock } = setUp();
  const viewer = people.enter('ada', ['file_download']) as unknown as Viewer;
  const isCaused = () => {
    download();
    return caused.at(-1);
  };
  assert.equal(isCaused(), false);
  requests.acted(viewer, { ...PRESS, type: 'move' });
  assert.equal(isCaused(), false);
  requests.acted(viewer, PRESS);
  assert.deepEqual(
    Array.from({ length: 17 }, isCaused).map((is) => is === true),
    [...Array<boolean>(16).fill(true), false],
  );
  requests.agentActed(PRESS);
  clock.advance(29_999);
  assert.equal(isCaused(), true);
  clock.advance(1);
  assert.equal(isCaused(), false);
});

test('a chooser is for the newest connection of the user who acted', async () => {
  const { people, requests, opened, ask, cancelled } = setUp();
  const before = people.enter('ada', ['file_upload', 'field_masking']);
  requests.acted(before as unknown as Viewer, PRESS);
  Object.assign(before, { gone: true, send: () => undefined });
  const now = people.enter('ada', ['file_upload', 'field_masking']);
  now.user = before.user;
  await ask();
  assert.deepEqual([opened.length, opened[0] === now, cancelled()], [1, true, 0]);
});

test('a chooser is not for another user with the same id', async () => {
  const { people, requests, opened, ask, cancelled } = setUp();
  const before = people.enter('ada', ['file_upload', 'field_masking']);
  requests.acted(before as unknown as Viewer, PRESS);
  Object.assign(before, { gone: true, send: () => undefined });
  people.enter('ada', ['file_upload', 'field_masking']);
  await ask();
  assert.deepEqual([opened, cancelled()], [[], 1]);
});

test('a chooser of a busy page is for the user who acted before the page asked', async (context) => {
  const { people, requests, opened } = setUp();
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  browser.silent = ({ method }) => method === 'DOM.describeNode';
  const files = new BrowserFiles(browser.cdp, undefined);
  files.follow(browser.cdp.session('front'), browser.cdp.browser);
  requests.use({ files } as unknown as FileBrowser);
  const [ada, bob] = ['ada', 'bob'].map((id) => people.enter(id, ['file_upload', 'field_masking']));
  requests.acted(ada as unknown as Viewer, PRESS);
  const chooser = { frameId: 'frame-front', mode: 'selectSingle', backendNodeId: 5 };
  browser.tell('Page.fileChooserOpened', chooser, 'front');
  await settle();
  requests.acted(bob as unknown as Viewer, PRESS);
  browser.speak();
  await settle();
  assert.deepEqual([opened.length, opened[0] === ada], [1, true]);
});

test('a page that prints in a loop does not flood a user who may not fetch files', () => {
  const { people, requests, print } = setUp();
  const notices: unknown[] = [];
  const user = people.enter('ada', []);
  Object.assign(user, { send: (notice: unknown) => notices.push(notice) });
  requests.acted(user as unknown as Viewer, PRESS);
  for (let count = 0; count < 1_000; count++) print();
  assert.equal(notices.length, 3);
});

test('a flood of prints for one user does not silence the notices to another user', () => {
  const { people, requests, print } = setUp();
  const notices: string[] = [];
  for (const id of ['ada', 'bob']) {
    const user = people.enter(id, []);
    Object.assign(user, { send: () => notices.push(id) });
    requests.acted(user as unknown as Viewer, PRESS);
    for (let count = 0; count < 1_000; count++) print();
  }
  assert.deepEqual(notices, ['ada', 'ada', 'ada', 'bob', 'bob', 'bob']);
});

test('a user who may not fetch files gets a notice at each print', () => {
  const { clock, people, requests, print } = setUp();
  const notices: unknown[] = [];
  const user = people.enter('ada', []);
  Object.assign(user, { send: (notice: unknown) => notices.push(notice) });
  requests.acted(user as unknown as Viewer, PRESS);
  for (let count = 0; count < 6; count++) {
    print();
    clock.advance(1_000);
  }
  assert.equal(notices.length, 6);
});

test('a user who may not fetch files gets one notice for downloads, and another one for prints', () => {
  const { people, requests, print, download } = setUp();
  const viewer = people.enter('ada', []);
  const sent: unknown[] = [];
  Object.assign(viewer, { send: (message: unknown) => sent.push(message) });
  requests.acted(viewer as unknown as Viewer, PRESS);
  print();
  download();
  assert.deepEqual(sent, [NOTICES.printRefused, NOTICES.downloadRefused]);
});

test('a page that prints in a loop while nobody may fetch files can print for a user who may', () => {
  const { people, print, printed } = setUp();
  for (let count = 0; count < 1_000; count++) print();
  assert.equal(printed.length, 0);
  people.enter('ada', ['file_download']);
  print();
  assert.equal(printed.length, 1);
});

test('prints that are refused do not use up what one press of a user may cause', async () => {
  const { people, requests, print, caused, clock } = setUp();
  const user = people.enter('ada', ['file_download']);
  requests.acted(user as unknown as Viewer, PRESS);
  for (let count = 0; count < 1_000; count++) print();
  await settle();
  clock.advance(20_000);
  print({} as unknown as CdpSession);
  // The first print writes its file before the next one begins.
  while (caused.length < 2) await settle();
  assert.ok(caused.every(Boolean));
});

test('a page that prints gets a print of itself', () => {
  const { people, print, printed } = setUp();
  people.enter('ada', ['file_download']);
  const background = {} as unknown as CdpSession;
  print(background);
  assert.equal(printed[0], background);
});
