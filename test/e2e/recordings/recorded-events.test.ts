import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Modifier, type InputWithoutSeq, type Role } from '../../../src/protocol/index.js';
import { decodePictures } from '../../support/decoded-pictures.js';
import { askSession } from '../support/ask-session.js';
import { Guest } from '../support/file-guest.js';
import { connectClient } from '../support/sdk-client.js';
import { RawProgram } from '../support/raw-program.js';
import { RecordedEvents } from '../support/recorded-events.js';
import { RecordingService } from '../support/recording-service.js';
import { someFile } from '../support/some-files.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 700 };
/** Texts that users and agents type, and values of fields. None of them may be in a recording. */
const SECRETS = [
  'Xylophon',
  'Quarzuhr',
  'Zebraherde',
  'hidden value',
  'inner value',
  'typed before',
  'Kolibri',
];

type Point = readonly [x: number, y: number];
type Act = readonly [name: string, act: () => unknown, ...expected: Record<string, unknown>[]];

// Proves: record
test('the events of a recording name each act of two users and an agent once, in order, and contain no typed text', async ({
  pages,
}) => {
  const { service, directory } = await RecordingService.start();
  const [remote, other] = [pages.page('recorded'), pages.page('marker')];
  const session = await service.create({
    ...{ start_url: remote.url, kiosk: false, record: true, automation: true, ...SIZE },
    default_roles: ['control', 'file_upload', 'file_download', 'clipboard_copy', 'chrome_apis', 'privacy'],
  });
  await remote.loaded();
  const id = await until('the recording has begun', async () => {
    const { body } = await service.request('GET', `/v0/recordings?session=${session.session_id}`);
    const [recording] = body['results'] as { id: string; seconds: number }[];
    return recording && recording.seconds > 0 && recording.id;
  });
  const events = new RecordedEvents(join(directory, id, 'events.jsonl'));
  const guest = await Guest.enter(session);
  const { client, hands } = guest;
  const user = client.userId ?? '';
  // Both have the time 0. On a busy machine, the tab is known before the size.
  await events.begun({ type: 'size', ...SIZE }, { type: 'tab_opened' });
  await events.after('a user has joined', () => undefined, { type: 'user_joined', user });
  const second = await connectClient(session, session.admin_token);
  const admin = second.userId ?? '';
  await events.after('another user joins', () => undefined, { type: 'user_joined', user: admin });

  const send = (event: InputWithoutSeq) => client.sendInput(event);
  const at = async (element: string): Promise<Point> => {
    const box = `const { left, top, width, height } = ${element}.getBoundingClientRect();`;
    const script = `(() => { ${box} return [left + Math.min(width / 2, 40), top + height / 2 + screenY + outerHeight - innerHeight]; })()`;
    const [x = 0, y = 0] = (await remote.run(script)) as number[];
    return [Math.round(x), Math.round(y)];
  };
  /** Clicks as a person does: the button is released when the page has named the element. */
  const clicks = async (element: string, button = 0) => {
    const [x, y] = await at(element);
    const press = { type: 'button', modifiers: 0, x, y, button } as const;
    send({ type: 'move', modifiers: 0, x, y });
    const before = await events.count('click');
    send({ ...press, pressed: true });
    await until('the press is written', async () => (await events.count('click')) > before);
    send({ ...press, pressed: false });
  };
  const click = (fields: Record<string, unknown> = {}) => ({ type: 'click', user, ...fields });
  const named = (role: string, name: string) => click({ role, name });
  /** Performs acts one after the other, with the events that each of them must cause. */
  const perform = async (acts: readonly Act[]) => {
    for (const [name, act, ...expected] of acts) await events.after(name, act, ...expected);
  };
  const composed = { type: 'typing', user, characters: 8 };
  const role: Role[] = ['cursor_data'];
  /** Numbers of times that things are done which are shown in the picture. */
  const blinks: number[] = [];

  await events.after('a click of a button', () => clicks('save'), named('button', 'Save changes'));
  for (let blink = 0; blink < 4; blink++) {
    const [shown] = await events.after('a click', () => clicks('blink'), named('button', 'Blink'));
    blinks.push(shown?.t ?? 0);
    await remote.event('click', blink + 2);
  }
  await perform([
    ['a click of a link', () => clicks('link'), named('link', 'Next part')],
    ['a click of a label', () => clicks('label'), named('checkbox', 'I agree')],
    ['a click into a frame', () => clicks('frame'), named('button', 'Inside')],
    ['a click of a field', () => clicks('field'), named('textbox', 'City')],
    ['a click of a password', () => clicks('password'), click({ role: undefined, name: undefined })],
    ['a click of a text', () => clicks('editor'), named('textbox', 'Letter')],
    ['a click of a link around a field', () => clicks('around'), named('link', 'Row of a table')],
    [
      'a double click',
      async () => {
        hands.click(...(await at('save')));
        hands.click(...(await at('save')));
      },
      click({ name: 'Save changes' }),
      click({ name: 'Save changes', count: 2 }),
    ],
    ['a right click', () => clicks('save', 2), click({ button: 2, name: 'Save changes' })],
    ['Escape', () => hands.press('Escape'), { type: 'key', user, keys: 'Escape' }],
    ['a middle click', () => clicks('save', 1), click({ button: 1 })],
    [
      'a drag',
      () => hands.drag([500, 300], [600, 400]),
      click(),
      { type: 'drag', user, x: 500, y: 300, to_x: 600, to_y: 400, button: 0 },
    ],
    ['a click', () => clicks('field'), named('textbox', 'City')],
    ['typed keys', () => type(send, 'Xylophon'), { type: 'typing', user, keys: 8 }],
    ['an input method', () => send({ type: 'text', modifiers: 0, text: 'Quarzuhr' }), composed],
  ]);
  await remote.event('change', 0);
  await events.after('a click of a button that shows typed text', () => clicks('echo'), {
    ...{ type: 'click', user, role: 'button', name: undefined },
  });
  await perform([
    ['a click', () => clicks('field'), named('textbox', 'City')],
    ['a shortcut', () => hands.press('Control+KeyA'), { type: 'shortcut', user, keys: 'Control+A' }],
    [
      'a copy',
      () => hands.press('Control+KeyC'),
      { type: 'shortcut', user, keys: 'Control+C' },
      { type: 'copy', user },
    ],
  ]);
  await events.after(
    'a paste',
    async () => {
      const upload = client.clipboard.upload({ text: 'Kolibri' });
      await upload.sent;
      const { transfer } = upload;
      send({ type: 'paste', modifiers: Modifier.control, transfer, code: 'KeyV', key: 'v' });
    },
    { type: 'paste', user },
  );
  const turned = { type: 'wheel', x: 500, y: 500, deltaX: 0, deltaY: 120, notched: true } as const;
  await perform([
    ['Enter', () => hands.press('Enter'), { type: 'key', user, keys: 'Enter' }],
    ['Tab', () => hands.press('Tab'), { type: 'key', user, keys: 'Tab' }],
    ['a function key', () => hands.press('F2'), { type: 'key', user, keys: 'F2' }],
    ['the wheel', () => send({ modifiers: 0, ...turned }), { type: 'scroll', user, steps: 1 }],
  ]);
  await remote.run('scrollTo(0, 0)');

  const finger = (phase: 'start' | 'move' | 'end', ...points: Point[]) =>
    send({ type: 'touch', modifiers: 0, phase, points: points.map(([x, y], id) => ({ id, x, y })) });
  const saveAt = await at('save');
  await events.after(
    'a tap',
    () => {
      finger('start', saveAt);
      finger('end');
    },
    { type: 'touch', user, role: 'button', name: 'Save changes' },
  );
  await events.after(
    'a swipe',
    () => {
      finger('start', [600, 300]);
      finger('move', [600, 340]);
      finger('end');
    },
    { type: 'touch', user, x: 600, y: 300 },
    { type: 'swipe', user, x: 600, y: 300, to_x: 600, to_y: 340 },
  );
  await events.after(
    'a pinch',
    () => {
      finger('start', [500, 400]);
      finger('start', [500, 400], [600, 400]);
      finger('move', [500, 400], [700, 400]);
      finger('end', [500, 400]);
      finger('end');
    },
    { type: 'touch', user, x: 500, y: 400 },
    { type: 'pinch', user, x: 550, y: 400, scale: 2 },
  );
  await remote.run('scrollTo(0, 0)');

  const [tab] = await second.tabs.query({ active: true });
  const tabId = tab?.id ?? 0;
  await events.after('a navigation', () => second.tabs.update(tabId, { url: other.url }), {
    type: 'navigation',
  });
  await other.loaded();
  await events.after('back', () => second.tabs.goBack(tabId), { type: 'back' });
  await remote.loaded(2);
  await events.after('forward', () => second.tabs.goForward(tabId), { type: 'forward' });
  await other.loaded(2);
  await events.after(
    'back by a shortcut',
    () => hands.press('Alt+ArrowLeft'),
    {
      ...{ type: 'shortcut', user, keys: 'Alt+ArrowLeft' },
    },
    { type: 'back' },
  );
  await remote.loaded(3);
  await events.after('a reload', () => second.tabs.reload(tabId), { type: 'reload' });
  await remote.loaded(4);
  const third = pages.page('marker');
  const [opened] = await events.after(
    'a tab is opened',
    () => second.tabs.create({ url: third.url }),
    { type: 'tab_opened', opener: undefined },
    { type: 'tab_activated' },
  );
  await third.loaded();
  await events.after('another tab is shown', () => second.tabs.update(tabId, { active: true }), {
    type: 'tab_activated',
  });
  const newTab = (await second.tabs.query({})).find(({ id: each }) => each !== tabId);
  await events.after('a tab is closed', () => second.tabs.remove(newTab?.id ?? 0), {
    ...{ type: 'tab_closed', tab: opened?.['tab'] },
  });
  await events.after('a popup', () => clicks('popup'), named('button', 'Popup'), { type: 'tab_opened' });
  await until('the popup is listed', async () => (await second.tabs.query({})).length > 1);
  const popup = (await second.tabs.query({})).find(({ id: each }) => each !== tabId);
  await events.after('the popup is closed', () => second.tabs.remove(popup?.id ?? 0), {
    type: 'tab_closed',
  });
  await events.after('a dialog', () => clicks('ask'), named('button', 'Ask'), {
    ...{ type: 'dialog_opened', dialog: 'confirm' },
  });
  await events.after(
    'its answer',
    () => second.dialogs.answer(tabId, { accept: true }),
    { type: 'dialog_closed', accepted: true },
    { type: 'dialog_answered', user: admin, accepted: true },
  );
  await events.after('a download', () => clicks('download'), named('link', 'Download'), {
    ...{ type: 'download', file: 'report.bin', state: 'done' },
  });
  await events.after('a file chooser', () => clicks('file'), named('button', 'Attachment'), {
    type: 'file_chooser',
  });
  const { id: chooser } = await until('the user has the request', () => guest.choosers[0]);
  await events.after('an upload', () => client.files.upload({ chooser }, [someFile('a', 10)]), {
    ...{ type: 'upload', user },
  });

  await perform([
    ['control is requested', () => client.users.requestControl(), { type: 'control_requested', user }],
    ['control is taken', () => second.users.takeControl(), { type: 'control_lost', user }],
    ['control is given', () => second.users.giveControl(user), { type: 'control_gained', user }],
    ['control is returned', () => second.users.giveControl(null), { type: 'control_gained', user: admin }],
    ['a role is added', () => second.users.addRoles([user], role), { type: 'rights_changed', user }],
    ['a role is removed', () => second.users.removeRoles([user], role), { type: 'rights_changed', user }],
    ['privacy begins', () => client.users.enablePrivacyMode(), { type: 'privacy_started', user }],
  ]);
  hands.click(...(await at('save')));
  type(send, 'Zebraherde');
  await events.after('privacy ends', () => client.users.disablePrivacyMode(), { type: 'privacy_ended' });
  await events.after('a new size', () => second.resize(820, 720), {
    type: 'size',
    width: 820,
    height: 720,
  });

  const computer = (method: string, body: object) => askSession(session, 'POST', `computer/${method}`, body);
  const [x, y] = await at('save');
  const [fieldX, fieldY] = await at('field');
  const [agentCame, agentClick] = await events.after(
    'an agent clicks',
    () => computer('click', { x, y }),
    { type: 'agent_connected' },
    { type: 'click', role: 'button', name: 'Save changes' },
  );
  const agent = agentCame?.['user'];
  assert.equal(agentClick?.['user'], agent);
  await events.after(
    'an agent types',
    () => computer('type', { x: fieldX, y: fieldY, text: 'Zebraherde' }),
    {
      ...{ type: 'click', user: agent, role: 'textbox', name: 'City' },
    },
    { type: 'typing', user: agent, keys: 10 },
  );
  await events.after('an agent presses a shortcut', () => computer('key', { key: 'Control+a' }), {
    ...{ type: 'shortcut', user: agent, keys: 'Control+A' },
  });
  await events.after(
    'an agent scrolls',
    () => computer('scroll', { x: 500, y: 500, delta_x: 0, delta_y: 100 }),
    {
      ...{ type: 'scroll', user: agent },
    },
  );
  await remote.run('scrollTo(0, 0)');
  const [asked] = await events.after(
    'an agent asks for a person',
    () => askSession(session, 'POST', 'handoffs', { instructions: 'Please help.' }),
    { type: 'handoff_requested' },
  );
  await events.after(
    'a person answers',
    () => client.finishHandoff(String(asked?.['handoff']), 'done', 'Zebraherde'),
    { type: 'handoff_ended', outcome: 'done', user },
  );

  let program: RawProgram | undefined;
  const [programCame] = await events.after(
    'a program connects',
    async () => (program = await RawProgram.attached(session.cdp_url)),
    { type: 'agent_connected' },
  );
  const robot = programCame?.['user'];
  const press = (type: string) =>
    program?.send('Input.dispatchMouseEvent', {
      ...{ type, button: 'left', clickCount: 1, x: 60, y: 23 },
    });
  await events.after(
    'a program clicks',
    async () => {
      await press('mousePressed');
      await press('mouseReleased');
    },
    { type: 'click', user: robot, role: 'button', name: 'Save changes' },
  );
  await events.after('a program types', () => program?.send('Input.insertText', { text: 'Zebraherde' }), {
    type: 'typing',
    user: robot,
    characters: 10,
  });
  await events.after('a program leaves', () => program?.socket.close(), {
    ...{ type: 'agent_disconnected', user: robot },
  });
  const path = `${new URL(session.embed_url).pathname.replace(/\/$/, '')}/recordings`;
  await events.after('a marker', () => service.request('POST', `${path}/${id}/markers`, { name: 'Here' }), {
    ...{ type: 'marker', name: 'Here' },
  });
  await events.after(
    'a user is removed',
    () => second.users.kick(user),
    { type: 'user_left', user },
    { type: 'user_removed', user: admin, removed: user },
  );
  await events.after('a user leaves', () => second.disconnect(), { type: 'user_left', user: admin });

  await events.checkCounts();
  const kinds = [...events.kinds, 'commands'];
  assert.ok(kinds.length >= 40, `${kinds.length} kinds of events`);
  const all = await events.all();
  for (const each of [agent, robot])
    assert.ok(
      all.some(({ type: kind, user: by }) => kind === 'commands' && by === each),
      'commands are counted',
    );
  const private_ = all.filter(({ t }) => isWithin(all, t));
  assert.deepEqual(private_, [], 'no input in privacy mode');
  await service.end(session);
  for (const name of await readdir(join(directory, id))) {
    const content = await readFile(join(directory, id, name));
    for (const secret of SECRETS) assert.equal(content.includes(secret), false, `${name} contains ${secret}`);
  }
  const lags = await lagsOf(join(directory, id, 'video.mp4'), blinks);
  note(`${kinds.length} kinds of events; pictures follow clicks after ${lags.join(', ')} ms`);
});

/** Types letters. */
function type(send: (event: InputWithoutSeq) => unknown, text: string): void {
  for (const letter of text) {
    const key = { type: 'key', code: `Key${letter.toUpperCase()}`, key: letter, modifiers: 0 } as const;
    for (const pressed of [true, false]) send({ ...key, pressed, repeat: false });
  }
}

/** True for input between the start and the end of privacy mode. */
function isWithin(all: readonly { t: number; type: string }[], time: number): boolean {
  const start = all.findIndex(({ type: kind }) => kind === 'privacy_started');
  const end = all.findIndex(({ type: kind }) => kind === 'privacy_ended');
  const inside = all.slice(start, end).filter(({ type: kind }) => /^(click|typing|key|touch)$/.test(kind));
  return inside.some(({ t }) => t === time);
}

/** Returns the milliseconds from each time to the next picture in which the page's colour has changed. */
async function lagsOf(video: string, times: readonly number[]): Promise<number[]> {
  const changes: number[] = [];
  let dark = false;
  await decodePictures(video, (picture) => {
    const now = picture.luma(600, 500) < 128;
    if (now !== dark) changes.push(picture.time);
    dark = now;
  });
  return times.map((time) => Math.round(((changes.find((change) => change >= time) ?? NaN) - time) * 1000));
}
