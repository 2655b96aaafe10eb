import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { RelayedProgram, ROOT } from '../../../fakes/relayed-program.js';

const ID = '0b9f0c0e-5c4f-4d5c-9a3e-0a3a4a5b6c7d';
const METHOD = 'DOM.setFileInputFiles';

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

describe('a program that gives files to a field', () => {
  for (const file of [ID, `/home/ada/${ID}`, `C:\\work\\${ID}`])
    it(`gives a download of the session as ${file}`, async () => {
      const program = await RelayedProgram.withPage();
      const params = { files: [file], backendNodeId: 5 };
      const [answer] = await program.ask({ id: 1, method: METHOD, params, sessionId: 'A' });
      assert.equal(answer?.error, undefined);
      const expected = { files: [`/inside/${ID}`], backendNodeId: 5 };
      assert.deepEqual(JSON.parse(JSON.stringify(program.sentTo('A').at(-1)?.params)), expected);
    });

  it('gives a file that a program has sent, without the role for downloads', async () => {
    const program = await RelayedProgram.withPage();
    program.uploads.add(ID);
    program.fetchesFiles = false;
    const params = { files: [`/home/ada/${ID}`], backendNodeId: 5 };
    assert.equal(await program.refusal(METHOD, params, 'A'), 'nothing');
    const expected = { files: [`/sent/${ID}/target-A`], backendNodeId: 5 };
    assert.deepEqual(JSON.parse(JSON.stringify(program.sentTo('A').at(-1)?.params)), expected);
  });

  it('empties a field without any role', async () => {
    const program = await RelayedProgram.withPage();
    program.givesFiles = false;
    const params = { files: [], objectId: 'o' };
    await program.ask({ id: 1, method: METHOD, params, sessionId: 'A' });
    assert.deepEqual(program.sentTo('A').at(-1)?.method, METHOD);
  });

  for (const file of [
    '/etc/passwd',
    `/etc/passwd\u0000${ID}`,
    `${ID}/..`,
    `/run/session/${ID}/x`,
    '',
    7,
    null,
  ])
    it(`names no path of the server such as ${JSON.stringify(file)}`, async () => {
      const program = await RelayedProgram.withPage();
      assert.match(await program.refusal(METHOD, { files: [ID, file] }, 'A'), /cannot read this path/);
      assert.ok(!program.sentTo('A').some(({ method }) => method === METHOD));
    });

  it('drops no files of the server on a page', async () => {
    const program = await RelayedProgram.withPage();
    const drop = 'Input.dispatchDragEvent';
    const dropped = (data: unknown) => program.refusal(drop, { type: 'drop', x: 1, y: 1, data }, 'A');
    for (const files of [['/'], [ID], '/etc/passwd', [[]], null])
      assert.match(await dropped({ items: [], files, dragOperationsMask: 1 }), /cannot drop files/);
    assert.ok(!program.sentTo('A').some(({ method }) => method === drop));
    for (const data of [
      { items: [], dragOperationsMask: 1 },
      { items: [], files: [] },
    ])
      assert.equal(await dropped(data), 'nothing');
  });

  it('needs the roles for files, and the role for masked fields', async () => {
    const program = await RelayedProgram.withPage();
    program.givesFiles = false;
    assert.match(await program.refusal(METHOD, { files: [ID] }, 'A'), /the role file_upload/);
    program.givesFiles = true;
    program.fetchesFiles = false;
    assert.match(await program.refusal(METHOD, { files: [ID] }, 'A'), /the role file_download/);
    const masked = await RelayedProgram.withPage(true);
    assert.match(await masked.refusal(METHOD, { files: [ID] }, 'A'), /masked fields/);
    for (const one of [program, masked]) assert.ok(!one.sentTo('A').some(({ method }) => method === METHOD));
  });
});

describe('a program that cancels a download', () => {
  it('needs the role for downloads, because the download may be that of a person', async () => {
    const program = await RelayedProgram.withPage();
    program.fetchesFiles = false;
    assert.match(await program.refusal('Browser.cancelDownload', { guid: ID }), /the role file_download/);
    assert.deepEqual(program.cancelled, []);
    program.fetchesFiles = true;
    assert.equal(await program.refusal('Browser.cancelDownload', { guid: ID }), 'nothing');
    assert.deepEqual(program.cancelled, [ID]);
  });
});

describe('the events of a page about downloads', () => {
  it('need the role for downloads, because the download may be that of a person', async () => {
    const program = await RelayedProgram.withPage();
    program.fetchesFiles = false;
    const from = program.told.length;
    const download = { guid: ID, url: 'https://example.com/secret', suggestedFilename: 'secret.pdf' };
    program.browser.tell('Page.downloadWillBegin', download, 'A');
    program.browser.tell('Page.downloadProgress', { guid: ID }, 'A');
    await settle();
    assert.deepEqual(program.told.slice(from), []);
    program.fetchesFiles = true;
    program.browser.tell('Page.downloadProgress', { guid: ID }, 'A');
    await settle();
    assert.deepEqual(
      program.told.slice(from).map(({ method }) => method),
      ['Page.downloadProgress'],
    );
  });
});

describe("the browser's own target", () => {
  const all = { discover: true, filter: [{}] };

  it('is listed for a program that includes it, with a session of its own', async () => {
    const program = await RelayedProgram.withPage();
    const told = await program.ask({ id: 1, method: 'Target.setDiscoverTargets', params: all });
    const types = told.flatMap(
      ({ params }) => (params?.targetInfo as { type?: string } | undefined)?.type ?? [],
    );
    assert.deepEqual(types, ['browser', 'page']);
    const [list] = await program.ask({ id: 2, method: 'Target.getTargets' });
    assert.doesNotMatch(JSON.stringify(list?.result), /"browser"/);
    const params = { targetId: ROOT, flatten: true };
    await program.answerSession('second', () =>
      program.ask({ id: 3, method: 'Target.attachToTarget', params }),
    );
    assert.deepEqual(program.told.find(({ id }) => id === 3)?.result, { sessionId: 'second' });
  });

  it('cannot be closed or shown', async () => {
    const program = await RelayedProgram.withPage();
    for (const method of ['Target.closeTarget', 'Target.activateTarget'])
      assert.match(await program.refusal(method, { targetId: ROOT }), /name a page/);
  });
});
