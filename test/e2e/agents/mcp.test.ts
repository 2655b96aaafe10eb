import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
const PLAYWRIGHT = join(
  dirname(createRequire(import.meta.url).resolve('@playwright/mcp/package.json')),
  'cli.js',
);
const CLI = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));
const SIZE = { width: 800, height: 500 };

/** Starts a program of Node, and connects a client of MCP to it. */
async function stdioClient(args: string[], more: { env?: Record<string, string>; cwd?: string }) {
  const client = new Client({ name: 'test', version: '1' });
  const program = { command: process.execPath, args, stderr: 'ignore', ...more } as const;
  await client.connect(new StdioClientTransport(program));
  atEnd(() => client.close());
  return client;
}

/** Starts the command of the service with this environment. */
const commandClient = (env: Record<string, string>) => stdioClient([CLI, 'mcp'], { env });

/** Starts Playwright's MCP server for an endpoint. */
async function playwrightClient(endpoint = ''): Promise<Client> {
  const cwd = await mkdtemp(join(tmpdir(), 'playwright-mcp-'));
  atEnd(() => rm(cwd, { recursive: true, force: true }));
  return stdioClient([PLAYWRIGHT, '--cdp-endpoint', endpoint, '--output-dir', cwd], { cwd });
}

const environmentOf = ({ embed_url: url, admin_token: token }: Session) => ({
  ...{ CLOUD_BROWSER_URL: url, CLOUD_BROWSER_TOKEN: token },
});

interface Result {
  /** The texts of all parts, and the types of other parts. */
  text: string;
  image: string | undefined;
  isError: boolean;
}

async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as {
    content: { type: string; text?: string; data?: string }[];
    isError?: boolean;
  };
  const text = content.map((part) => part.text ?? part.type).join('\n');
  return { text, image: content[0]?.data, isError: isError === true };
}

/** Returns the reference in the first line of a snapshot that contains these words. */
async function refOf(client: Client, words: string, tool = 'snapshot'): Promise<string> {
  const { text } = await use(client, tool);
  const ref = /\[ref=(\w+)\]/.exec(text.split('\n').find((line) => line.includes(words)) ?? '')?.[1];
  return ref ?? assert.fail(`no ${words} in ${text}`);
}

/** An agent that reads, clicks and types until the form is sent. */
async function fillForm(client: Client, name: string): Promise<void> {
  await use(client, 'click', { ref: await refOf(client, 'checkbox') });
  await use(client, 'type', { ref: await refOf(client, 'textbox "Name"'), text: name, submit: true });
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
      'hover',
      'drag',
      'type',
      'select',
      'key',
      'scroll',
      'wait',
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

test("Playwright's MCP server completes a form through the endpoint", async ({ pages, service }) => {
  const page = pages.page('agent-form');
  const session = await service.create({ start_url: 'about:blank', automation: true });
  const client = await playwrightClient(session.cdp_url);
  const act = async (tool: string, args: Record<string, unknown> = {}) => {
    const { text, isError } = await use(client, `browser_${tool}`, args);
    assert.equal(isError, false, `${tool}: ${text}`);
    return text;
  };
  const target = (words: string) => refOf(client, words, 'browser_snapshot');
  await act('navigate', { url: page.url });
  await page.loaded();
  await act('type', { element: 'Name', target: await target('textbox "Name"'), text: 'Ada' });
  const size = await target('combobox "Size"');
  await act('select_option', { element: 'Size', target: size, values: ['Large'] });
  await act('click', { element: 'Gift', target: await target('checkbox') });
  await act('click', { element: 'Send', target: await target('button "Send"') });
  await page.event('submit');
  assert.match(await act('snapshot'), /Thank you, Ada\./);
  assert.deepEqual([page.state['size'], page.state['gift']], ['Large', true]);
  assert.match(await act('take_screenshot'), /image/);
  assert.match(await act('tabs', { action: 'list' }), /A form for agents/);
});
