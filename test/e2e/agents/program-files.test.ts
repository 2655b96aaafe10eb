import assert from 'node:assert/strict';
import { Guest } from '../support/file-guest.js';
import { httpCaller, mcpClient } from '../support/program-caller.js';
import type { Session } from '../support/service.js';
import { sha256, someBytes, someFile } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 800 };
const LARGE = 3_000_000;
/** Distances of the file fields from the top of the page. */
const [ONE, MANY] = [25, 85];

interface Listed {
  id: string;
  name: string;
  state: string;
}

const addressOf = ({ embed_url: url }: Session): string => url.split('?')[0] ?? '';
const send = (session: Session, method: 'GET' | 'DELETE', id: string) =>
  fetch(`${addressOf(session)}/downloads/${id}`, {
    method,
    headers: { authorization: `Bearer ${session.admin_token}` },
  });
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code?: string }).code,
];

/** Resolves to a download when a page has offered it completely. */
async function offered(session: Session, name: string): Promise<Listed> {
  return until(`${name} is complete`, async () => {
    const { text } = await httpCaller(session).call('files');
    const { files = [] } = JSON.parse(text) as { files?: Listed[] };
    return files.find((file) => file.name === name && file.state === 'done');
  });
}

test('a program fetches what a page offers, over HTTP and MCP', async ({ show }) => {
  const roles = ['control', 'file_download'];
  const { remote: page, session } = await show('files', { ...SIZE, automation: { roles } });
  assert.equal((await httpCaller(session).call('files')).refused, false);
  await page.run(`offer('büro.bin', ${LARGE})`);
  const large = await offered(session, 'büro.bin');
  const response = await send(session, 'GET', large.id);
  assert.equal(response.status, 200);
  assert.match(String(response.headers.get('content-disposition')), /filename\*=UTF-8''b%C3%BCro\.bin$/);
  assert.equal(response.headers.get('content-length'), String(LARGE));
  assert.equal(sha256(new Uint8Array(await response.arrayBuffer())), sha256(someBytes(LARGE)));

  await page.run(`offer('small.bin', 1000)`);
  const small = await offered(session, 'small.bin');
  const client = await mcpClient(session);
  const read = (id: string) => client.callTool({ name: 'read_file', arguments: { id } });
  const { content } = (await read(small.id)) as { content: { resource?: { blob?: string } }[] };
  const blob = Buffer.from(content[1]?.resource?.blob ?? '', 'base64');
  assert.equal(sha256(blob), sha256(someBytes(1000)));
  assert.match(JSON.stringify(await read(large.id)), /A tool returns at most 1048576.*"isError":true/);

  assert.equal((await send(session, 'DELETE', large.id)).status, 200);
  for (const method of ['GET', 'DELETE'] as const)
    assert.deepEqual(await codeOf(await send(session, method, large.id)), [404, 'err_download_gone']);
});

test('a program without the role gets no file', async ({ show }) => {
  const { session } = await show('files', { ...SIZE, automation: true });
  for (const method of ['GET', 'DELETE'] as const)
    assert.deepEqual(await codeOf(await send(session, method, 'one')), [403, 'err_forbidden']);
});

test('a program gives files to a page that asks for them, over HTTP and MCP', async ({ show }) => {
  const roles = ['control', 'file_upload', 'file_download'];
  const { remote: page, session } = await show('files', { ...SIZE, automation: { roles } });
  const top = SIZE.height - Number(await page.run('innerHeight'));
  const caller = httpCaller(session);
  const click = (y: number) => caller.call('click', { x: 150, y: y + top });
  const upload = async (name: string, bytes: number) => {
    const response = await fetch(`${addressOf(session)}/uploads?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.admin_token}` },
      body: someBytes(bytes),
    });
    const sent = (await response.json()) as { id: string; size: number };
    assert.deepEqual([response.status, sent.size], [200, bytes]);
    return sent.id;
  };
  const early = await caller.call('choose', { files: [], timeout: 0 });
  assert.match(early.text, /err_chooser_gone.*Click the file field/);

  const first = await upload('../büro.txt', LARGE);
  await click(ONE);
  assert.deepEqual(await caller.call('choose', { files: [first] }), {
    ...{ refused: false, text: '{"done":true}', image: undefined },
  });
  await page.event('change one');
  const hashOf = (bytes: number) => sha256(someBytes(bytes));
  const [chosen] = page.state['one'] as { name: string; size: number; hash: string }[];
  assert.deepEqual([chosen?.name, chosen?.size, chosen?.hash], ['büro.txt', LARGE, hashOf(LARGE)]);

  // A download can be chosen too.
  await page.run(`offer('report.bin', 1000)`);
  const { id: download } = await offered(session, 'report.bin');
  const client = await mcpClient(session);
  const use = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const sent = JSON.stringify(await use('upload_file', { name: 'a.txt', content: 'Hello' }));
  const second = /\[id=([\w-]+)\]/.exec(sent)?.[1] ?? assert.fail(sent);
  await click(MANY);
  assert.match(JSON.stringify(await use('choose_files', { files: [second, download] })), /has the files/);
  await page.event('change many');
  assert.deepEqual(
    (page.state['many'] as { name: string; size: number }[]).map(({ name, size }) => [name, size]),
    [
      ['a.txt', 5],
      ['report.bin', 1000],
    ],
  );

  // Without files, the page gets an empty choice.
  await click(ONE);
  assert.equal((await caller.call('choose', { files: [] })).refused, false);
  await page.event('cancel one');
});

test('a person who opens a file chooser after a program gets it', async ({ show }) => {
  const roles = ['control', 'file_upload', 'file_download'];
  const options = { automation: { roles }, default_roles: roles };
  const { remote: page, session } = await show('files', { ...SIZE, ...options });
  const top = SIZE.height - Number(await page.run('innerHeight'));
  const caller = httpCaller(session);
  await caller.call('key', { key: 'Shift' });
  const guest = await Guest.enter(session);
  const chooser = await guest.asked([150, ONE + top]);
  assert.match((await caller.call('choose', { files: [], timeout: 0 })).text, /err_chooser_gone|person/);
  await guest.client.files.upload({ chooser: chooser.id }, [someFile('person.txt', 10)]);
  await page.event('change one');
});
