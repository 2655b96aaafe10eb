import assert from 'node:assert/strict';
import type { HostedPage } from '../support/hosted-page.js';
import { ACTIVITY, CALLS, CDP_WAYS, PRIVATE } from '../support/private-ways.js';
import { httpCaller, mcpCaller, type ProgramCaller } from '../support/program-caller.js';
import { RawProgram } from '../support/raw-program.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 500 };
const ROLES = ['control', 'chrome_apis', 'file_upload', 'file_download'];
const REASON = /privacy mode/;

let session: Session;
let page: HostedPage;
let person: Awaited<ReturnType<typeof connectClient>>;

test.beforeAll(async ({ service, pages }) => {
  page = pages.page('agent-form');
  session = await service.create({ ...SIZE, start_url: page.url, automation: { roles: ROLES } });
  await page.fills(SIZE);
  person = await connectClient(session, session.admin_token);
});
test.afterEach(() => person.users.disablePrivacyMode());

const addressOf = (path: string): string => {
  const url = new URL(session.cdp_url ?? '');
  return `${url.origin.replace('ws', 'http')}${url.pathname.replace('/devtools/browser', path)}${url.search}`;
};

/** Starts privacy mode of the person. */
const begin = () => person.users.enablePrivacyMode();

test('a program learns nothing over the DevTools protocol while a user is in privacy mode', async ({
  service,
  pages,
}) => {
  const program = await RawProgram.attached(session.cdp_url);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Performance'])
    await program.send(`${domain}.enable`);
  const events = { discover: true };
  await program.send('Target.setDiscoverTargets', events, 'browser');
  await program.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true }, 'browser');
  await page.run('document.getElementById("name").focus()');
  const before = await page.run('JSON.stringify([name.value, location.href])');

  // The person holds control, so that a command of the program waits when privacy mode begins.
  person.sendInput({
    type: 'key',
    pressed: true,
    repeat: false,
    code: 'ShiftLeft',
    key: 'Shift',
    modifiers: 0,
  });
  await until('the person has control', async () =>
    (await person.users.list()).some(({ kind, controlling }) => kind === 'person' && controlling),
  );
  const held = program.send('Input.insertText', { text: 'held' });
  await begin();
  const from = program.texts.length;
  assert.match((await held).error?.message ?? '', REASON);

  const late = await RawProgram.open(session.cdp_url);
  await late.send(
    'Target.setAutoAttach',
    { autoAttach: true, flatten: true, waitForDebuggerOnStart: false },
    'browser',
  );
  const open: string[] = [];
  for (const [name, way] of Object.entries(CDP_WAYS)) {
    const { error, result } = await way(program);
    // A script ends with an exception.
    const details = result?.['exceptionDetails'];
    const reason = error?.message ?? (details === undefined ? '' : JSON.stringify(details));
    if (!REASON.test(reason)) open.push(`${name}: ${reason}`);
  }
  assert.deepEqual(open, []);
  assert.equal(await page.run('JSON.stringify([name.value, location.href])'), before);

  const next = pages.page('agent-form');
  await page.run(`{ ${ACTIVITY} }`);
  await service.show(session, `${next.url}&secret=${PRIVATE}`);
  await next.loaded();
  const list = await fetch(addressOf('/json/list'));
  assert.deepEqual([list.status, (await list.text()).includes(PRIVATE)], [403, false]);
  assert.equal((await fetch(addressOf('/json/version'))).status, 200);
  const told = [...program.texts.slice(from), ...late.texts];
  assert.deepEqual(
    told.filter((text) => text.includes(PRIVATE)),
    [],
  );
  note(`${Object.keys(CDP_WAYS).length} commands, ${told.length} messages`);

  person.sendInput({
    type: 'key',
    pressed: false,
    repeat: false,
    code: 'ShiftLeft',
    key: 'Shift',
    modifiers: 0,
  });
  await person.users.disablePrivacyMode();
  const title = await program.send('Runtime.evaluate', { expression: 'location.href' });
  assert.match(JSON.stringify(title), new RegExp(PRIVATE));
});

test('after privacy mode, a program reads nothing that the browser has kept from that time', async ({
  service,
  pages,
}) => {
  const shown = pages.page('agent-form');
  await service.show(session, shown.url);
  await shown.loaded();
  const program = await RawProgram.attached(session.cdp_url);
  for (const domain of ['Runtime', 'Network']) await program.send(`${domain}.enable`);
  const does = async (text: string) => {
    await shown.run(`(async () => {
      await (await fetch('data:text/plain,${text}')).text();
      await fetch('/nowhere', { method: 'POST', body: '${text}' });
      console.log({ text: '${text}' });
      reportError(new Error('${text}'));
      window.did = '${text}';
    })()`);
    await until(`the page has sent ${text}`, async () => (await shown.run('window.did')) === text);
  };
  /** Returns the ids of a kind that the program has received, and the ids that follow the last one. */
  const idsOf = (pattern: RegExp) => {
    const [last, start = '', count = ''] =
      program.texts.flatMap((text) => [...text.matchAll(pattern)]).at(-1) ?? [];
    assert.ok(last, String(pattern));
    return Array.from({ length: 40 }, (_one, index) => `${start}${Number(count) + index - 10}`);
  };
  const readAll = async () => {
    const from = program.texts.length;
    for (const requestId of idsOf(/"requestId":"(\d+\.)(\d+)"/g))
      for (const method of ['getResponseBody', 'getRequestPostData'])
        await program.send(`Network.${method}`, { requestId });
    for (const objectId of idsOf(/"objectId":"(-?\d+\.\d+\.)(\d+)"/g))
      await program.send('Runtime.getProperties', { objectId });
    const late = await RawProgram.attached(session.cdp_url);
    for (const domain of ['Audits', 'Console', 'Log', 'Runtime']) await late.send(`${domain}.enable`);
    for (const again of ['disable', 'enable']) await program.send(`Runtime.${again}`);
    return [...program.texts.slice(from), ...late.texts];
  };
  /** Returns the messages that contain a text. */
  const having = (messages: readonly string[], text: string) =>
    messages.filter((message) => message.includes(text)).map((message) => message.slice(0, 300));

  await does('public-text');
  const before = await readAll();
  for (const kept of ['"body":"public-text"', '"postData":"public-text"', '"value":"public-text"'])
    assert.notDeepEqual(having(before, kept), [], kept);
  const from = program.texts.length;
  await begin();
  await does('private-text');
  await person.users.disablePrivacyMode();
  assert.deepEqual(having(program.texts.slice(from), 'private-text'), []);
  assert.deepEqual(having(await readAll(), 'private-text'), []);
  await does('later-text');
  assert.notDeepEqual(having(await readAll(), '"body":"later-text"'), []);
});

for (const kind of ['HTTP', 'MCP'] as const)
  test(`a program learns nothing over ${kind} while a user is in privacy mode`, async () => {
    const open = (): Promise<ProgramCaller> =>
      kind === 'HTTP' ? Promise.resolve(httpCaller(session)) : mcpCaller(session);
    const early = await open();
    assert.equal((await early.call('accessibility')).refused, false);
    await begin();
    const failures: string[] = [];
    let tried = 0;
    for (const caller of [early, await open()])
      for (const [method, fields] of CALLS) {
        if (!caller.has(method)) continue;
        tried += 1;
        const { refused, text, image } = await caller.call(method, fields);
        if (!refused || image || !REASON.test(text)) failures.push(`${method}: ${text}`);
      }
    assert.deepEqual(failures, []);
    if (kind === 'HTTP') {
      const steps = await early.call('batch', {
        actions: CALLS.map(([type, fields]) => ({ type, ...fields })),
        continue_on_error: true,
      });
      assert.equal(steps.text.match(/err_forbidden/g)?.length, CALLS.length, steps.text);
      const shot = await fetch(addressOf('/screenshot').replace(/\?.*/, ''), {
        headers: { authorization: `Bearer ${session.admin_token}` },
      });
      assert.equal(shot.status, 403);
    }
    note(`${kind}: ${tried} calls`);
    await person.users.disablePrivacyMode();
    assert.equal((await early.call('accessibility')).refused, false);
    assert.equal((await early.call('tabs')).refused, false);
  });
