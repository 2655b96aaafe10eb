import assert from 'node:assert/strict';
import { mcpClient } from '../support/program-caller.js';
import { httpCaller } from '../support/program-caller.js';
import type { Session } from '../support/service.js';
import { sha256, someBytes } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 800 };
const LARGE = 3_000_000;

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

test('a program fetches what a page offers, over HTTP and MCP @main', async ({ pages, service }) => {
  const page = pages.page('files');
  const roles = ['control', 'file_download'];
  const session = await service.create({ ...SIZE, start_url: page.url, automation: { roles } });
  await page.loaded();
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

test('a program without the role gets no file', async ({ pages, service }) => {
  const page = pages.page('files');
  const session = await service.create({ ...SIZE, start_url: page.url, automation: true });
  await page.loaded();
  for (const method of ['GET', 'DELETE'] as const)
    assert.deepEqual(await codeOf(await send(session, method, 'one')), [403, 'err_forbidden']);
});
