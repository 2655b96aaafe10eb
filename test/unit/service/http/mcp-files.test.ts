import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { fileContent, MAX_RESULT_BYTES, readWithin } from '../../../../server/src/mcp/file-results.js';
import type { McpBrowser } from '../../../../server/src/mcp/mcp-browser.js';
import { remoteBrowser } from '../../../../server/src/mcp/remote-browser.js';
import { TOOLS } from '../../../../server/src/mcp/tools.js';

const content = (name: string, bytes: Buffer) => fileContent('one', { name, bytes });

describe('a file in a result of MCP', () => {
  it('is a text, a picture or a blob', () => {
    assert.deepEqual(content('a "b".csv', Buffer.from('ä;1')), [
      { type: 'text', text: '"a \\"b\\".csv", 4 bytes.' },
      { type: 'resource', resource: { uri: 'download:one', mimeType: 'text/plain', text: 'ä;1' } },
    ]);
    const bytes = Buffer.from([0x89, 0, 0xff]);
    const blob = bytes.toString('base64');
    assert.deepEqual(content('a.PNG', bytes)[1], { type: 'image', data: blob, mimeType: 'image/png' });
    for (const [name, mimeType] of [
      ['a.pdf', 'application/pdf'],
      ['constructor', 'application/octet-stream'],
    ] as const)
      assert.deepEqual(content(name, bytes)[1], {
        ...{ type: 'resource', resource: { uri: 'download:one', mimeType, blob } },
      });
  });

  it('is read completely up to the limit', async () => {
    const bytes = Buffer.alloc(MAX_RESULT_BYTES, 1);
    assert.deepEqual(await readWithin(Readable.from([bytes]), bytes.length), bytes);
  });

  it('is not read further beyond the limit', async () => {
    const announced = Readable.from([Buffer.from('x')]);
    await assert.rejects(readWithin(announced, MAX_RESULT_BYTES + 1), /GET \{session\}\/downloads\/\{id\}/);
    const endless = new PassThrough();
    endless.write(Buffer.alloc(MAX_RESULT_BYTES + 1));
    await assert.rejects(readWithin(endless), /A tool returns at most 1048576/);
    assert.equal(endless.destroyed, true);
  });

  it('is reported as incomplete if the transfer ends early', async () => {
    await assert.rejects(readWithin(Readable.from([Buffer.from('abc')]), 4), /ended early/);
    const broken = new PassThrough();
    const read = readWithin(broken, 4);
    broken.write('abc');
    broken.destroy();
    await assert.rejects(read, /ended early/);
  });
});

describe('a file for the command mcp', () => {
  let server: Server;
  afterEach(() => server.close());

  async function read(answer: RequestListener) {
    server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/session`;
    return remoteBrowser({ url, token: 'secret' }).readDownload('a/b');
  }

  it('is fetched with the token, and has its name', async () => {
    const file = await read(({ url, headers }, response) => {
      assert.deepEqual([url, headers.authorization], ['/session/downloads/a%2Fb', 'Bearer secret']);
      response.setHeader('content-disposition', "attachment; filename*=UTF-8''%C3%BC.txt");
      response.end('abc');
    });
    assert.deepEqual([file.name, Buffer.from(file.bytes).toString()], ['ü.txt', 'abc']);
  });

  it('is refused with the sentence of the service', async () => {
    const refusal = { code: 'err_download_gone', message: 'There is no such download.' };
    const reading = read((_request, response) => response.writeHead(404).end(JSON.stringify(refusal)));
    await assert.rejects(reading, refusal);
  });

  it('is reported as incomplete if the connection breaks', async () => {
    const reading = read((_request, response) => {
      response.setHeader('content-length', 4);
      response.write('abc', () => response.destroy());
    });
    await assert.rejects(reading, /ended early/);
  });
});

describe('the tool upload_file', () => {
  const sent: [name: string, text: string][] = [];
  const browser = {
    uploadFile: (name: string, bytes: Uint8Array) => {
      sent.push([name, Buffer.from(bytes).toString()]);
      return Promise.resolve({ id: 'one' });
    },
  } as unknown as McpBrowser;
  const upload = async (args: Record<string, unknown>) =>
    TOOLS.find(({ name }) => name === 'upload_file')?.run(browser, args);

  it('sends a text or base64, and returns the id', async () => {
    const [result] = (await upload({ name: 'a', content: 'ä' })) ?? [];
    assert.match(JSON.stringify(result), /\[id=one\]/);
    await upload({ name: 'b', base64: 'YWJj\nZGVm' });
    await upload({ name: 'c', content: '' });
    assert.deepEqual(sent, [
      ['a', 'ä'],
      ['b', 'abcdef'],
      ['c', ''],
    ]);
  });

  it('refuses wrong and large contents', async () => {
    for (const args of [{}, { content: 'a', base64: 'YQ==' }, { content: 7 }])
      await assert.rejects(upload({ name: 'a', ...args }), /either content or base64/);
    await assert.rejects(upload({ name: 'a', base64: 'no base64!' }), /text in Base64/);
    await assert.rejects(upload({ name: 7, content: 'a' }), /name must be a text/);
    const content = 'x'.repeat(MAX_RESULT_BYTES + 1);
    await assert.rejects(upload({ name: 'a', content }), /POST \{session\}\/uploads/);
  });

  it('checks a long content without blocking the service', async () => {
    // The check runs on the thread that serves all sessions. The context ends it after the timeout.
    const base64 = `${' '.repeat(400_000)}!`;
    const run = () => upload({ name: 'a', base64 });
    const refused = runInNewContext('run()', { run }, { timeout: 5_000 }) as Promise<unknown>;
    await assert.rejects(refused, /text in Base64/);
    await upload({ name: 'd', base64: 'YQ=\n=\n' });
    assert.deepEqual(sent.at(-1), ['d', 'a']);
  });
});
