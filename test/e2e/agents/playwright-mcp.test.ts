import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { atEnd } from '../support/cleanup.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
const PACKAGE = createRequire(import.meta.url).resolve('@playwright/mcp/package.json');

/** Starts Playwright's MCP server for an endpoint, and connects to it. */
async function connect(endpoint: string): Promise<Client> {
  const cwd = await mkdtemp(join(tmpdir(), 'playwright-mcp-'));
  atEnd(() => rm(cwd, { recursive: true, force: true }));
  const client = new Client({ name: 'test', version: '1' });
  const args = [join(dirname(PACKAGE), 'cli.js'), '--cdp-endpoint', endpoint, '--output-dir', cwd];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' }));
  atEnd(() => client.close());
  return client;
}

/** Uses a tool, and returns its text. Fails if the tool reports an error. */
async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as {
    content: { type: string; text?: string }[];
    isError?: boolean;
  };
  const text = content.map((part) => part.text ?? part.type).join('\n');
  assert.notEqual(isError, true, `${name}: ${text}`);
  return text;
}

test("Playwright's MCP server completes a form through the endpoint", async ({ pages, service }) => {
  const page = pages.page('agent-form');
  const session = await service.create({ start_url: 'about:blank', automation: true });
  const client = await connect(session.cdp_url ?? '');
  await use(client, 'browser_navigate', { url: page.url });
  await page.loaded();
  const refOf = async (words: string) => {
    const text = await use(client, 'browser_snapshot');
    const ref = /\[ref=(\w+)\]/.exec(text.split('\n').find((line) => line.includes(words)) ?? '')?.[1];
    return ref ?? assert.fail(`no ${words} in ${text}`);
  };
  const name = await refOf('textbox "Name"');
  await use(client, 'browser_type', { element: 'Name', target: name, text: 'Ada' });
  const size = await refOf('combobox "Size"');
  await use(client, 'browser_select_option', { element: 'Size', target: size, values: ['Large'] });
  await use(client, 'browser_click', { element: 'Gift', target: await refOf('checkbox') });
  await use(client, 'browser_click', { element: 'Send', target: await refOf('button "Send"') });
  await page.event('submit');
  assert.match(await use(client, 'browser_snapshot'), /Thank you, Ada\./);
  const { size: chosen, gift } = page.state;
  assert.deepEqual([chosen, gift], ['Large', true]);
  assert.match(await use(client, 'browser_take_screenshot'), /image/);
  assert.match(await use(client, 'browser_tabs', { action: 'list' }), /A form for agents/);
});
