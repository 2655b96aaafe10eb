import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { askSession } from '../support/ask-session.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/** Positions of the fields of the page. */
const PERSON = { x: 100, y: 120 };

interface HandoffAnswer {
  id: string;
  outcome: string | null;
  note: string;
  answered_by: string | null;
}

let remote: HostedPage;
let session: Session;
let viewer: Viewer;
test.beforeEach(async ({ service, pages, watch }) => {
  remote = pages.page('agent');
  session = await service.create({ start_url: remote.url, kiosk: true, automation: true, ...SIZE });
  viewer = await watch(session, { viewport: SIZE });
  await remote.fills(SIZE);
});

const ask = async () =>
  (await askSession(session, 'POST', 'handoffs', {
    instructions: 'Type the code from your mail.',
  })) as HandoffAnswer;

/** Waits for the end of a hand-off with a long poll. */
async function ended({ id }: HandoffAnswer): Promise<HandoffAnswer> {
  const [base = ''] = session.embed_url.split('?');
  const headers = { authorization: `Bearer ${session.admin_token}` };
  const response = await fetch(`${base}/handoffs/${id}?wait=25`, { headers });
  return (await response.json()) as HandoffAnswer;
}

/** The agent types at the position of its field, over the API for programs. */
const types = async (text: string) => {
  await askSession(session, 'POST', 'computer/click', { x: 100, y: 60 });
  await askSession(session, 'POST', 'computer/type', { text });
};

const done = (page: Page) => page.getByRole('button', { name: 'Done' });

test('a person answers with the mouse, and the agent continues where it was @main', async () => {
  await types('first ');
  await remote.until('the agent has typed', ({ agent }) => agent === 'first ');
  const asked = await ask();
  const bar = viewer.page.locator('[part=handoff]');
  await bar.getByText('Type the code from your mail.').waitFor();
  const waiting = ended(asked);
  const typing = askSession(session, 'POST', 'computer/type', { text: 'second' });
  await viewer.page.mouse.click(PERSON.x, PERSON.y);
  await viewer.page.keyboard.type('1234');
  await remote.until('the person has typed', ({ person }) => person === '1234');
  assert.equal(remote.state['agent'], 'first ');
  await done(viewer.page).click();
  const { outcome, answered_by: by } = await waiting;
  assert.deepEqual([outcome, by], ['done', await viewer.userId()]);
  await typing;
  await remote.until('the agent has continued in its own field', ({ agent }) => agent === 'first second');
  assert.equal(remote.state['person'], '1234');
  await bar.getByText('Type the code').waitFor({ state: 'detached' });
});

test('a person adds a note with the keyboard, which does not reach the page', async () => {
  const waiting = ended(await ask());
  await done(viewer.page).focus();
  const { keyboard } = viewer.page;
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await keyboard.type('There was no mail.');
  await viewer.page.getByRole('button', { name: 'I can’t' }).click();
  const { outcome, note } = await waiting;
  assert.deepEqual([outcome, note], ['refused', 'There was no mail.']);
  await types('x');
  await remote.until('the agent types again', ({ agent }) => agent === 'x');
  assert.equal(remote.state['person'], '');
});

test('a viewer that reconnects still sees the request', async () => {
  const asked = await ask();
  await done(viewer.page).waitFor();
  await viewer.page.reload();
  await viewer.playing();
  await done(viewer.page).click();
  assert.equal((await ended(asked)).outcome, 'done');
});

test('a viewer sees the pointer of the agent with its name', async () => {
  await types('x');
  const pointer = viewer.page.locator('.agent-pointer');
  await askSession(session, 'POST', 'computer/move', { x: 400, y: 300 });
  await pointer.locator('span').waitFor();
  await until('the pointer is where the agent is', async () => {
    const box = await pointer.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
    return Math.abs(box.x - 400) < 3 && Math.abs(box.y - 300) < 3;
  });
  assert.notEqual((await pointer.innerText()).trim(), '');
});
