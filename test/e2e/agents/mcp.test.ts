import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { decodeStill } from '../../support/decode-still.js';
import { atEnd } from '../support/cleanup.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const CLI = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));
const SIZE = { width: 800, height: 500 };

const addressOf = ({ embed_url }: Session): string => embed_url.split('?')[0] ?? '';

/** Connects a client of MCP. */
async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  atEnd(() => client.close());
  return client;
}

const overHttp = (session: Session, token = session.admin_token) =>
  new StreamableHTTPClientTransport(new URL(`${addressOf(session)}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

const overStdio = (env: Record<string, string>) =>
  new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env, stderr: 'ignore' });

interface Result {
  text: string;
  image: string | undefined;
  isError: boolean;
}

async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as {
    content: { type: string; text?: string; data?: string }[];
    isError?: boolean;
  };
  const [first] = content;
  return { text: first?.text ?? '', image: first?.data, isError: isError === true };
}

/** An agent that reads, clicks and types until the form is sent. */
async function fillForm(client: Client, name: string): Promise<void> {
  const refOf = async (words: string) => {
    const { text } = await use(client, 'snapshot');
    const ref = /\[ref=(e\d+)\]/.exec(text.split('\n').find((line) => line.includes(words)) ?? '')?.[1];
    assert.ok(ref, `no ${words} in ${text}`);
    return ref;
  };
  await use(client, 'click', { ref: await refOf('checkbox') });
  await use(client, 'type', { ref: await refOf('textbox "Name"'), text: name, submit: true });
  await until('the page answers', async () =>
    (await use(client, 'snapshot')).text.includes(`Thank you, ${name}.`),
  );
}

test('an agent sees and answers the dialog of a page', async ({ pages, service }) => {
  const page = pages.page('agent-form');
  const session = await service.create({ ...SIZE, start_url: page.url, automation: true });
  await page.fills(SIZE);
  const client = await connect(overHttp(session));
  const question = 'report({ answer: prompt("Who are you?", "Nobody") })';
  await page.run(`void setTimeout(() => ${question})`);
  await until('the text has the dialog', async () =>
    (await use(client, 'snapshot')).text.includes('A dialog is open (prompt): "Who are you?".'),
  );
  const response = await fetch(`${addressOf(session)}/computer/accessibility`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.admin_token}` },
  });
  const { dialog } = (await response.json()) as { dialog?: object };
  assert.deepEqual(dialog, {
    ...{ type: 'prompt', message: 'Who are you?', defaultPrompt: 'Nobody', url: page.url },
  });
  assert.equal((await use(client, 'dialog', { accept: true, text: 'Ada' })).isError, false);
  await page.until('it has the answer', ({ answer }) => answer === 'Ada');
  assert.doesNotMatch((await use(client, 'snapshot')).text, /dialog is open/);
  assert.match((await use(client, 'dialog', { accept: true })).text, /has no dialog open/);
});

test('an agent fills in a form through MCP over HTTP', { tag: '@main' }, async ({ pages, service }) => {
  const page = pages.page('agent-form');
  const session = await service.create({ ...SIZE, automation: true });
  const client = await connect(overHttp(session));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'open',
      'snapshot',
      'click',
      'type',
      'select',
      'key',
      'scroll',
      'screenshot',
      'tabs',
      'dialog',
      'files',
      'read_file',
      'upload_file',
      'choose_files',
      'request_human',
    ],
  );
  const opened = await use(client, 'open', { url: page.url });
  assert.match(opened.text, /Page: |textbox/);
  await page.loaded();
  await fillForm(client, 'Ada');
  await page.event('submit');
  assert.equal(page.state['gift'], true);
  const { image } = await use(client, 'screenshot');
  const still = await decodeStill(Buffer.from(image ?? '', 'base64'), 'png');
  assert.deepEqual([still.width, still.height], [SIZE.width, SIZE.height]);
  assert.match((await use(client, 'tabs')).text, /\* \d+: "A form for agents"/);
  const gone = await use(client, 'click', { ref: 'e999999' });
  assert.equal(gone.isError, true);
  assert.match(gone.text, /Call accessibility again|no node/);
  const users = connectClient(session, session.admin_token);
  const list = await (await users).users.list();
  assert.ok(list.some(({ kind, name }) => kind === 'agent' && name === 'Agent'));
});

for (const way of ['over HTTP', 'by the command'] as const)
  test(`an agent withdraws a request for a person ${way}`, async ({ pages, service }) => {
    const page = pages.page('agent-form');
    const session = await service.create({ ...SIZE, start_url: page.url, automation: true });
    const client = await connect(
      way === 'over HTTP'
        ? overHttp(session)
        : overStdio({ CLOUD_BROWSER_URL: session.embed_url, CLOUD_BROWSER_TOKEN: session.admin_token }),
    );
    const response = await fetch(`${addressOf(session)}/handoffs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.admin_token}` },
      body: JSON.stringify({ instructions: 'Log in.' }),
    });
    const { id } = (await response.json()) as { id: string };
    const { text } = await use(client, 'request_human', { id, withdraw: true });
    assert.equal(text, 'Outcome: withdrawn.');
    await fillForm(client, 'Ada');
  });

test('privacy mode and wrong tokens shut MCP out', async ({ pages, service }) => {
  const page = pages.page('agent-form');
  const session = await service.create({ ...SIZE, start_url: page.url, automation: true });
  await page.loaded();
  const client = await connect(overHttp(session));
  await use(client, 'snapshot');
  const person = await connectClient(session);
  await person.remote.call('enablePrivacyMode', []);
  for (const [tool, args] of [
    ['snapshot', {}],
    ['screenshot', {}],
    ['click', { x: 100, y: 100 }],
    ['type', { text: 'x' }],
    ['key', { key: 'a' }],
    ['open', { url: page.url }],
    ['tabs', {}],
  ] as const) {
    const result = await use(client, tool, args);
    assert.equal(result.isError, true, tool);
    assert.match(result.text, /privacy mode/);
  }
  await assert.rejects(connect(overHttp(session, 'wrong')));
  const other = await service.create({ ...SIZE });
  await assert.rejects(connect(overHttp(other)));
});

test('the command uses a session, or starts one and ends it', async ({ pages, service }) => {
  const page = pages.page('agent-form');
  const session = await service.create({ ...SIZE, start_url: page.url, automation: true });
  await page.loaded();
  const env = { CLOUD_BROWSER_URL: session.embed_url, CLOUD_BROWSER_TOKEN: session.admin_token };
  await fillForm(await connect(overStdio(env)), 'Grace');
  await page.event('submit');

  const own = await connect(
    overStdio({ CLOUD_BROWSER_URL: service.url, CLOUD_BROWSER_API_KEY: service.key }),
  );
  const second = pages.page('agent-form');
  await use(own, 'open', { url: second.url });
  await second.loaded();
  const count = async () => ((await service.request('GET', '/v0/vm')).body['results'] as unknown[]).length;
  const before = await count();
  await own.close();
  await until('its session ends', async () => (await count()) === before - 1);
});
