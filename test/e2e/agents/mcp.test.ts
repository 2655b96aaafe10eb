import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { decodeStill } from '../../support/decode-still.js';
import { askSession } from '../support/ask-session.js';
import { atEnd } from '../support/cleanup.js';
import { mcpClient } from '../support/program-caller.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const CLI = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));
const SIZE = { width: 800, height: 500 };

/** Starts the command with this environment, and connects a client of MCP to it. */
async function commandClient(env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [CLI, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  atEnd(() => client.close());
  return client;
}

const environmentOf = ({ embed_url: url, admin_token: token }: Session) => ({
  ...{ CLOUD_BROWSER_URL: url, CLOUD_BROWSER_TOKEN: token },
});

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

test('an agent sees and answers the dialog of a page', async ({ show }) => {
  const { remote: page, session } = await show('agent-form', { ...SIZE, automation: true });
  await page.fills(SIZE);
  const client = await mcpClient(session);
  const question = 'report({ answer: prompt("Who are you?", "Nobody") })';
  await page.run(`void setTimeout(() => ${question})`);
  await until('the text has the dialog', async () =>
    (await use(client, 'snapshot')).text.includes('A dialog is open (prompt): "Who are you?".'),
  );
  const { dialog } = (await askSession(session, 'POST', 'computer/accessibility')) as { dialog?: object };
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
  const client = await mcpClient(session);
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
    const client = await (way === 'over HTTP' ? mcpClient(session) : commandClient(environmentOf(session)));
    const { id } = (await askSession(session, 'POST', 'handoffs', { instructions: 'Log in.' })) as {
      id: string;
    };
    const { text } = await use(client, 'request_human', { id, withdraw: true });
    assert.equal(text, 'Outcome: withdrawn.');
    await fillForm(client, 'Ada');
  });

test('wrong tokens, and sessions without automation, shut MCP out', async ({ service }) => {
  const session = await service.create({ ...SIZE, automation: true });
  await assert.rejects(mcpClient(session, 'wrong'));
  await mcpClient(session);
  await assert.rejects(mcpClient(await service.create(SIZE)));
});

test('the command uses a session, or starts one and ends it', async ({ show, service, pages }) => {
  const { remote: page, session } = await show('agent-form', { ...SIZE, automation: true });
  await fillForm(await commandClient(environmentOf(session)), 'Grace');
  await page.event('submit');

  const own = await commandClient({ CLOUD_BROWSER_URL: service.url, CLOUD_BROWSER_API_KEY: service.key });
  const second = pages.page('agent-form');
  await use(own, 'open', { url: second.url });
  await second.loaded();
  const count = async () => ((await service.request('GET', '/v0/vm')).body['results'] as unknown[]).length;
  const before = await count();
  await own.close();
  await until('its session ends', async () => (await count()) === before - 1);
});
