import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DialogNotice, Hello, HostMessage, Role } from 'cloud-browser/protocol';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { dialogs } from '../../../../server/src/host/features/dialogs/dialogs.js';
import type { Feature, FeatureBrowser, FeatureParts } from '../../../../server/src/host/features/feature.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';

const HELLO = {} as Hello;
const QUESTION = { url: 'https://example.com:8443/form?secret', frameId: '1', message: 'Go on?' };

/** A user of the session, with the dialogs that they got. */
interface Guest {
  viewer: Viewer;
  told: DialogNotice['dialog'][];
}

let clock: ManualClock;
let browser: FakeBrowser;
let pages: Pages;
let calls: Calls;
let feature: Feature;
let guests: Guest[];
/** Users whose input the session accepts. */
let controlling: Set<string>;
/** Users who acted, as the session records it. */
let acted: string[];
/** The pages of the tabs in front: first that of the window in front. */
let inFront: string[];

beforeEach(async () => {
  clock = new ManualClock();
  browser = new FakeBrowser();
  calls = new Calls((token) => token === 'admin');
  [guests, acted, inFront] = [[], [], ['front']];
  controlling = new Set(['ada', 'ben']);
  const roster = {
    viewers: () => guests.map(({ viewer }) => viewer).values(),
    acts: ({ userId }: Viewer) => controlling.has(userId),
  };
  const onAct = ({ userId }: Viewer) => void acted.push(userId);
  feature = dialogs({ calls, clock, onAct, users: { roster } } as unknown as FeatureParts);
  await startBrowser();
});
afterEach(async () => {
  await feature.stop?.();
  assert.equal(clock.pending, 0);
  browser.cdp.close();
});

async function startBrowser(): Promise<void> {
  const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 };
  pages = await Pages.follow(browser.cdp, setup);
  await settle();
  const listPages = () =>
    ['hidden', 'front', 'popup'].map((page, index) => ({
      ...{ tabId: index + 1, target: `target-${page}`, live: true },
      ...{ active: inFront.includes(page), front: inFront[0] === page },
    }));
  const bridge = { call: () => Promise.resolve(listPages()) };
  feature.browserStarted?.({ bridge, devices: { pages } } as unknown as FeatureBrowser);
}

function join(userId: string, roles: readonly Role[] = ['control']): Guest {
  const told: Guest['told'] = [];
  const send = (message: HostMessage) => message.type === 'dialog' && told.push(message.dialog);
  const rights = firstRights({ controlDisabled: false, roles, tiedRoles: [] }, {});
  const viewer = { userId, rights, admin: false, shutOut: false, send } as unknown as Viewer;
  const guest = { viewer, told };
  guests.push(guest);
  feature.viewerJoined?.(viewer, HELLO);
  return guest;
}

async function ask(page: string, dialog: object = {}): Promise<void> {
  browser.tell('Page.javascriptDialogOpening', { ...QUESTION, type: 'confirm', ...dialog }, page);
  await settle();
}

async function closeIn(page: string): Promise<void> {
  browser.tell('Page.javascriptDialogClosed', { result: true, userInput: '' }, page);
  await settle();
}

/** Lets the time pass after which the session checks which page is in front. */
async function checkFront(): Promise<void> {
  clock.advance(1_000);
  await settle();
}

const idsOf = ({ told }: Guest) => told.map((dialog) => dialog?.id ?? null);
const answerOf = ({ viewer }: Guest, ...args: unknown[]) =>
  calls.perform('answerDialog', args, { viewer, admin: false });
const answers = () =>
  browser.commands
    .filter(({ method }) => method === 'Page.handleJavaScriptDialog')
    .map(({ params, sessionId }) => [sessionId, params]);

describe('the dialog of the page in front', () => {
  it('is sent to users who may have control, with its site, until it is closed', async () => {
    const [ada, guest] = [join('ada'), join('guest', [])];
    await ask('front', { type: 'prompt', defaultPrompt: 'Ada' });
    assert.deepEqual(ada.told, [
      { id: 1, type: 'prompt', message: 'Go on?', defaultPrompt: 'Ada', site: 'example.com:8443' },
    ]);
    await closeIn('front');
    assert.deepEqual(ada.told.slice(1), [null]);
    assert.deepEqual(guest.told, []);
  });

  it('is sent to a user who joins later, and to nobody twice', async () => {
    const ada = join('ada');
    await ask('front');
    const ben = join('ben');
    feature.rightsChanged?.();
    assert.deepEqual([idsOf(ada), idsOf(ben)], [[1], [1]]);
    await ask('hidden');
    await checkFront();
    assert.deepEqual([idsOf(ada), idsOf(ben)], [[1], [1]]);
  });

  it('is sent to the first user who joins after it has opened', async () => {
    await ask('front');
    const ada = join('ada');
    await settle();
    assert.deepEqual(idsOf(ada), [1]);
  });

  it('follows the role of the user, and is withdrawn in the privacy mode of another user', async () => {
    const [ada, guest] = [join('ada'), join('guest', [])];
    await ask('front');
    const { viewer } = guest;
    const give = (change: object) => {
      Object.assign(viewer, change);
      feature.rightsChanged?.();
    };
    give({ rights: ada.viewer.rights });
    assert.deepEqual(idsOf(guest), [1]);
    give({ shutOut: true });
    assert.deepEqual(idsOf(guest), [1, null]);
    await closeIn('front');
    await ask('front');
    assert.deepEqual(idsOf(guest), [1, null]);
    give({ shutOut: false });
    assert.deepEqual(idsOf(guest), [1, null, 2]);
    assert.deepEqual(idsOf(ada), [1, null, 2]);
  });

  it('has no site if its address has none', async () => {
    const ada = join('ada');
    for (const url of ['data:text/html,x', 'about:blank', '', 'chrome-extension://abc/page.html']) {
      await ask('front', { url });
      await closeIn('front');
      clock.advance(1_000);
    }
    const sites = ada.told.flatMap((dialog) => dialog?.site ?? []);
    assert.deepEqual(sites, ['', '', '', '']);
  });

  it('is not that of a tab behind it, but of the window behind it, whose dialog may block it', async () => {
    const ada = join('ada');
    await ask('hidden');
    assert.deepEqual(ada.told, []);
    inFront = ['popup', 'hidden'];
    await checkFront();
    assert.deepEqual(idsOf(ada), [1]);
    await ask('front');
    await checkFront();
    assert.deepEqual(idsOf(ada), [1]);
    inFront = ['front', 'hidden'];
    await checkFront();
    assert.deepEqual(idsOf(ada), [1, 2]);
    // The dialog keeps its number.
    inFront = ['hidden'];
    await checkFront();
    assert.deepEqual(idsOf(ada), [1, 2, 1]);
  });

  it('needs no other part of the browser if the page is the only one', async () => {
    browser.tell('Target.detachedFromTarget', { sessionId: 'front' });
    await settle();
    inFront = [];
    const ada = join('ada');
    await ask('hidden');
    assert.deepEqual(idsOf(ada), [1]);
  });

  it('is closed with its page and with its browser, and appears again in the next browser', async () => {
    const ada = join('ada');
    await ask('front');
    browser.tell('Inspector.targetCrashed', {}, 'front');
    await settle();
    assert.deepEqual(idsOf(ada), [1, null]);
    await ask('front');
    assert.deepEqual(idsOf(ada), [1, null, 2]);
    feature.browserIsGone?.();
    assert.deepEqual(idsOf(ada), [1, null, 2, null]);
    browser.cdp.close();
    browser = new FakeBrowser();
    await startBrowser();
    await ask('front');
    assert.deepEqual(idsOf(ada), [1, null, 2, null, 3]);
  });

  it('comes after a pause if a page opens dialogs in a loop, so that users can reach its tab', async () => {
    const ada = join('ada');
    for (let turn = 0; turn < 50; turn++) {
      await ask('front');
      await closeIn('front');
    }
    await ask('front');
    assert.deepEqual(idsOf(ada), [1, null, 2, null, 3, null, 4, null, 5, null]);
    // A dialog in another page, and the check of the page in front, change nothing.
    await ask('hidden');
    await checkFront();
    assert.equal(ada.told.at(-1), null);
    await checkFront();
    assert.equal(ada.told.at(-1)?.id, 6);
    await checkFront();
    assert.deepEqual(idsOf(ada).slice(10), [6]);
  });

  it('has its text in full up to 4096 characters', async () => {
    const ada = join('ada');
    await ask('front', { message: 'x'.repeat(10_000), type: 'prompt', defaultPrompt: 'y'.repeat(10_000) });
    const [dialog] = ada.told;
    assert.deepEqual([dialog?.message.length, dialog?.defaultPrompt.length], [4_096, 4_096]);
  });
});

describe('answerDialog', () => {
  let ada: Guest;
  let ben: Guest;
  beforeEach(async () => {
    [ada, ben] = [join('ada'), join('ben')];
    await ask('front', { type: 'prompt' });
  });

  it('answers the dialog as the user does, and counts as input of the user', async () => {
    await answerOf(ada, 1, { accept: true, text: 'Lisbon' });
    assert.deepEqual(answers(), [['front', { accept: true, promptText: 'Lisbon' }]]);
    assert.deepEqual(acted, ['ada']);
  });

  it('fails with a code of its own for a dialog that another user has answered', async () => {
    await answerOf(ada, 1, { accept: true });
    await closeIn('front');
    await assert.rejects(answerOf(ben, 1, { accept: false }), { code: 'err_dialog_gone' });
    // The page has opened the next dialog.
    await ask('front');
    await assert.rejects(answerOf(ben, 1, { accept: false }), { code: 'err_dialog_gone' });
    assert.equal(answers().length, 1);
  });

  it('fails with this code as soon as another user has answered, because the page may ask again', async () => {
    browser.silent = ({ method }) => method === 'Page.handleJavaScriptDialog';
    const first = answerOf(ada, 1, { accept: true });
    await assert.rejects(answerOf(ben, 1, { accept: true }), { code: 'err_dialog_gone' });
    browser.speak();
    await first;
    // The event that the dialog is closed may come later than the answer.
    await assert.rejects(answerOf(ben, 1, { accept: true }), { code: 'err_dialog_gone' });
    assert.equal(answers().length, 1);
  });

  it('can be tried again if the browser has refused the answer', async () => {
    browser.refuse = ({ method }) => method === 'Page.handleJavaScriptDialog';
    await assert.rejects(answerOf(ada, 1, { accept: true }), { code: 'err_dialog_gone' });
    browser.refuse = () => false;
    await answerOf(ben, 1, { accept: true });
  });

  it('fails with this code if the browser has closed the dialog meanwhile', async () => {
    browser.refuse = ({ method }) => method === 'Page.handleJavaScriptDialog';
    await assert.rejects(answerOf(ada, 1, { accept: true }), { code: 'err_dialog_gone' });
    feature.browserIsGone?.();
    await assert.rejects(answerOf(ada, 1, { accept: true }), { code: 'err_dialog_gone' });
  });

  it('is refused without the role, without control, and in the privacy mode of another user', async () => {
    const guest = join('guest', ['chrome_apis']);
    await assert.rejects(answerOf(guest, 1, { accept: true }), { code: 'err_forbidden' });
    controlling.delete('ben');
    await assert.rejects(answerOf(ben, 1, { accept: true }), { code: 'err_forbidden' });
    Object.assign(ada.viewer, { shutOut: true });
    await assert.rejects(answerOf(ada, 1, { accept: true }), { code: 'err_forbidden' });
    const backend = calls.perform('answerDialog', [1, { accept: true }], { viewer: undefined, admin: true });
    await assert.rejects(backend, { code: 'err_viewer_required' });
    assert.deepEqual([answers(), acted], [[], []]);
  });

  it('refuses wrong arguments', async () => {
    const accept = true;
    for (const args of [
      [],
      [1],
      ['1', { accept }],
      [1.5, { accept }],
      [1, { accept: 'yes' }],
      [1, { accept, text: 5 }],
      [1, { accept, text: 'x'.repeat(4_097) }],
    ])
      await assert.rejects(answerOf(ada, ...args), { code: 'err_invalid_parameter' });
    assert.deepEqual(acted, []);
  });
});
