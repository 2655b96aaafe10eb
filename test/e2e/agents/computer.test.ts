import assert from 'node:assert/strict';
import { PICTURE_FORMATS, type PictureFormat } from 'cloud-browser/protocol';
import { decodeStill, type DecodedStill } from '../../support/decode-still.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 500 };
const MASK = { matches: ['http://127.0.0.1/*'], selectors: ['.secret'] };

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Sends a request below a session's address with its admin token. */
async function ask({ embed_url, admin_token }: Session, path: string, body?: object): Promise<Response> {
  const [base = ''] = embed_url.split('?');
  return fetch(`${base}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${admin_token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Calls a method of computer use. */
async function call(session: Session, method: string, body: object = {}): Promise<Answer> {
  const response = await ask(session, `computer/${method}`, body);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Calls a method that must succeed. */
async function did(session: Session, method: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await call(session, method, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function shot(session: Session, query: string): Promise<DecodedStill> {
  const response = await ask(session, `screenshot?${query}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  const format = response.headers.get('content-type')?.replace('image/', '') as PictureFormat;
  return decodeStill(bytes, format);
}

/** Returns the reference of the line of the page's text that contains these words. */
async function refOf(session: Session, words: string): Promise<string> {
  const { text } = await did(session, 'accessibility');
  const line = String(text)
    .split('\n')
    .find((candidate) => candidate.includes(words));
  const ref = /\[ref=(e\d+)\]/.exec(line ?? '')?.[1];
  assert.ok(ref, `no ${words} in ${String(text)}`);
  return ref;
}

const isBlack = (colour: number[]) => colour.every((value) => value < 20);

test('screenshots of each format show what a viewer sees', async ({ show }) => {
  const { remote: page, session } = await show('agent-form', SIZE);
  await page.fills(SIZE);
  const png = await shot(session, 'wait_for_stable=300');
  assert.deepEqual([png.width, png.height], [SIZE.width, SIZE.height]);
  for (const format of PICTURE_FORMATS) {
    const other = await shot(session, `format=${format}&quality=95`);
    assert.deepEqual([other.width, other.height], [SIZE.width, SIZE.height]);
    assert.ok(difference(png, other) < 3, `${format} differs by ${difference(png, other)}`);
  }
  const client = await connectClient(session, undefined, 'image');
  let seen: DecodedStill | undefined;
  client.on(
    'packet',
    ({ payload }) => void decodeStill(Buffer.concat([payload]), 'jpeg').then((still) => (seen = still)),
  );
  await until('the viewer sees the picture', () => seen && difference(png, seen) < 3);
  const part = await shot(session, 'region=10,10,100,50&scale=0.5');
  assert.deepEqual([part.width, part.height], [50, 25]);
});

test('mouse and keyboard work over HTTP as for a person @main', async ({ show }) => {
  const { remote: page, session } = await show('agent-form', { ...SIZE, automation: true });
  await page.fills(SIZE);
  const place = await placesOf(page);
  await did(session, 'click', place('name'));
  await did(session, 'type', { text: 'Ada Lovelace: "é€"!' });
  await page.until('the name is typed', ({ name }) => name === 'Ada Lovelace: "é€"!');
  await did(session, 'key', { key: 'Control+a' });
  await did(session, 'type', { text: 'Bob' });
  await page.until('the name is replaced', ({ name }) => name === 'Bob');
  await did(session, 'type', { ...place('note'), text: 'one\ntwo' });
  await page.until('the note has two lines', ({ note }) => note === 'one\ntwo');
  await did(session, 'click', { ...place('note'), count: 2 });
  await page.event('dblclick');
  await did(session, 'click', { ...place('note'), button: 'right' });
  await page.event('contextmenu');
  await did(session, 'key', { key: 'Escape' });
  const { steps } = await did(session, 'batch', {
    actions: [
      { type: 'click', ...place('gift') },
      { type: 'click', ref: 'e999999' },
      { type: 'key', key: 'Tab' },
    ],
  });
  assert.deepEqual(
    (steps as Record<string, unknown>[]).map((step) => Object.keys(step)[1]),
    ['result', 'error', 'skipped'],
  );
  await page.until('the box is checked', ({ gift }) => gift === true);
  assert.equal(page.state['trusted'], true);
});

test('a drag drops an element, and draws each part of a line', async ({ show }) => {
  const { remote: page, session } = await show('agent-form', { ...SIZE, automation: true });
  await page.fills(SIZE);
  await page.run(`
    document.body.innerHTML = '<b draggable="true">one</b><i>two</i><canvas></canvas>';
    const [from, to, line] = document.body.children;
    const place = (element, left, top) =>
      (element.style.cssText = 'position:fixed;width:300px;height:100px;left:' + left + 'px;top:' + top + 'px');
    place(from, 0, 0);
    place(to, 400, 200);
    place(line, 0, 350);
    from.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'one');
    to.ondragover = (event) => event.preventDefault();
    to.ondrop = (event) => report({ dropped: event.dataTransfer.getData('text/plain') });
    let moves = 0;
    line.onpointermove = ({ buttons }) => (moves += buttons === 1 ? 1 : 0);
    line.onpointerup = () => report({ moves });
  `);
  const corners = [
    { x: 50, y: 50 },
    { x: 550, y: 250 },
  ];
  await did(session, 'drag', { path: corners });
  await page.until('the element is dropped', ({ dropped }) => dropped === 'one');
  const ends = [
    { x: 20, y: 400 },
    { x: 260, y: 400 },
  ];
  await did(session, 'drag', { path: ends });
  await page.until('the line has several points', ({ moves }) => Number(moves) >= 5);
});

test('an agent reads the page and uses its references', async ({ show }) => {
  const { remote: page, session } = await show('agent-form', { ...SIZE, automation: { name: 'Reader' } });
  await page.fills(SIZE);
  await did(session, 'type', { ref: await refOf(session, 'textbox "Name"'), text: 'Grace' });
  await did(session, 'set', { ref: await refOf(session, 'combobox "Size"'), value: 'Large' });
  const wrong = await call(session, 'set', { ref: await refOf(session, 'combobox "Size"'), value: 'Huge' });
  assert.match(String(wrong.body['message']), /name an option as the text shows it/);
  const files = await call(session, 'files');
  assert.match(String(files.body['message']), /role file_download\. Name it in automation\.roles/);
  await did(session, 'click', { ref: await refOf(session, 'button "Send"') });
  await page.event('submit');
  assert.equal(page.state['size'], 'Large');
  await until('the text has the answer', async () =>
    String((await did(session, 'accessibility'))['text']).includes('Thank you, Grace.'),
  );
  const { url, title } = await did(session, 'accessibility');
  assert.deepEqual([url, title], [page.url, 'A form for agents']);
  const gone = await call(session, 'click', { ref: 'e999999' });
  assert.deepEqual([gone.status, gone.body['code']], [409, 'err_node_gone']);
});

test('masked fields are black, unreadable and closed for an agent without the role', async ({
  show,
  service,
}) => {
  const field_masking = [MASK];
  const { remote: page, session } = await show('masked', { ...SIZE, automation: true, field_masking });
  await page.fills(SIZE);
  await page.run('document.getElementById("plain").value = "hunter2"');
  for (const path of ['screenshot?format=png', 'screenshot?format=jpeg']) {
    const response = await ask(session, path);
    const still = await decodeStill(
      Buffer.from(await response.arrayBuffer()),
      path.endsWith('png') ? 'png' : 'jpeg',
    );
    for (const [x, y] of [
      [100, 75],
      [100, 235],
      [410, 35],
      [410, 75],
      [402, 105],
    ] as const)
      assert.ok(isBlack(still.at(x, y)), `${path} shows ${x},${y}: ${still.at(x, y).join()}`);
    assert.ok(!isBlack(still.at(330, 35)), 'the page around them is shown');
  }
  const typed = await call(session, 'type', { x: 100, y: 75, text: 'x' });
  assert.deepEqual([typed.status, typed.body['code']], [403, 'err_field_masked']);
  const { text } = await did(session, 'accessibility');
  assert.ok(!String(text).includes('hunter2'), String(text));
  const plain = /textbox \[disabled\] \[ref=(e\d+)\]/.exec(String(text))?.[1] ?? '';
  const set = await call(session, 'set', { ref: plain, value: 'x' });
  assert.deepEqual([set.status, set.body['code']], [403, 'err_forbidden'], JSON.stringify(set.body));
  assert.equal(await page.run('document.getElementById("plain").value'), 'hunter2');

  const roles = ['control', 'chrome_apis', 'field_masking'];
  const trusted = await service.create({
    ...SIZE,
    start_url: page.url,
    automation: { roles },
    field_masking,
  });
  await page.loaded(2);
  await did(trusted, 'type', { x: 100, y: 75, text: 'x' });
  const still = await decodeStill(
    Buffer.from(String((await did(trusted, 'screenshot'))['data']), 'base64'),
    'png',
  );
  assert.ok(!isBlack(still.at(300, 75)));
});

test('without automation there is only the screenshot for the holder of the admin token', async ({
  show,
}) => {
  const { remote: page, session } = await show('agent-form', SIZE);
  await page.fills(SIZE);
  const refused = await call(session, 'click', { x: 1, y: 1 });
  assert.deepEqual([refused.status, refused.body['code']], [409, 'err_no_automation']);
  assert.equal((await ask(session, 'screenshot')).status, 200);
  assert.equal((await ask({ ...session, admin_token: 'wrong' }, 'screenshot')).status, 401);
  const wrong = await ask(session, 'screenshot?scale=big');
  assert.equal(((await wrong.json()) as { code: string }).code, 'err_invalid_parameter');
});

/** Returns a function that returns the middle of an element of the page. */
async function placesOf(page: HostedPage): Promise<(id: string) => { x: number; y: number }> {
  const boxes = JSON.parse(
    String(
      await page.run(
        `JSON.stringify(Object.fromEntries([...document.querySelectorAll('[id]')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.id, { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }];
        })))`,
      ),
    ),
  ) as Record<string, { x: number; y: number }>;
  return (id) => boxes[id] ?? { x: 0, y: 0 };
}

/** Mean difference of two pictures, 0 to 255, at many places. */
function difference(one: DecodedStill, other: DecodedStill): number {
  let sum = 0;
  let count = 0;
  for (let y = 2; y < one.height; y += 5)
    for (let x = 2; x < one.width; x += 5) {
      const [a, b] = [one.at(x, y), other.at(x, y)];
      a.forEach((value, channel) => (sum += Math.abs(value - (b[channel] ?? 0))));
      count += 3;
    }
  return sum / count;
}
