import assert from 'node:assert/strict';
import type { Role } from '../../../src/protocol/index.js';
import { Guest } from '../support/file-guest.js';
import type { HostedPage } from '../support/hosted-page.js';
import { RawViewer } from '../support/raw-viewer.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { someBytes } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Access must be right every time, so these tests are not retried.
test.describe.configure({ retries: 0 });
const SIZE = { width: 800, height: 800 };

/** Calls for roles that users do not have by default. */
const CALLS: [method: string, ...args: unknown[]][] = [
  ['clipboard.read'],
  ['clipboard.fetch'],
  ['files.list'],
  ['files.offer', { x: 100, y: 200 }, [{ name: 'a', size: 1 }]],
  ['files.finish', 'x'],
  ['files.ticket', 'x'],
  ['files.remove', 'x'],
];
const TEXT = new TextEncoder().encode('smuggled');

/** A page that has copied content and offered a file, and an admin who has received both. */
async function treasure(session: Session, remote: HostedPage): Promise<string> {
  const owner = await Guest.enter(session);
  const { client } = owner;
  const admin = { adminToken: session.admin_token };
  const roles: Role[] = ['clipboard_copy', 'file_download'];
  await client.remote.call('addRoles', [[client.userId ?? ''], roles], admin);
  await client.files.list();
  await remote.run("offer('secret.bin', 1000)");
  const { id } = await owner.downloaded('secret.bin');
  return id;
}

test.describe('a raw socket without the roles', () => {
  test('receives no copied content and no files', { tag: '@main' }, async ({ show }) => {
    const { remote, session } = await show('files', { ...SIZE, kiosk: true });
    const raw = await RawViewer.open(session);
    for (const event of ['clipboard.onCopied', 'files.onDownload', 'files.onRemoved', 'files.onChooser'])
      await raw.call('subscribe', event);
    const download = await treasure(session, remote);

    for (const [method, ...args] of [
      ...CALLS,
      ['files.ticket', download],
      ['files.remove', download],
    ] as const) {
      const answer = await raw.call(method, ...args);
      assert.equal(answer.error?.code, 'err_forbidden', method);
    }
    // Guessing does not help either.
    for (const method of ['GET', 'POST']) {
      const { origin, pathname } = new URL(session.embed_url);
      const address = `${origin}${pathname}/files/${'x'.repeat(43)}?offset=0`;
      const answer = await fetch(address, { method, ...(method === 'POST' && { body: someBytes(100) }) });
      assert.equal(answer.status, 404, method);
    }
    // The report of this user's copy does not contain the copied content.
    await remote.run(`{
      const copied = document.body.appendChild(document.createElement('textarea'));
      copied.value = 'copied';
      copied.select();
    }`);
    for (const pressed of [true, false])
      raw.send({
        ...{ type: 'key', seq: pressed ? 1 : 2, modifiers: 2, repeat: false },
        pressed,
        code: 'KeyC',
        key: 'c',
      });
    const told = await until('the copy is told', () => raw.messages.find(({ type }) => type === 'event'));
    assert.deepEqual(told, {
      ...{ type: 'event', name: 'clipboard.onCopied' },
      args: [{ types: [], allowed: false }],
    });
    const heard = raw.messages.map(({ type }) => type);
    assert.equal(heard.filter((type) => type === 'event').length, 1);
    assert.ok(!heard.includes('clipboard-offer'));
    raw.close();
  });

  test('without control cannot paste', async ({ show }) => {
    const { remote, session } = await show('clipboard', { ...SIZE, kiosk: true, default_roles: [] });
    await remote.run('area.focus()');
    const raw = await RawViewer.open(session);
    raw.say({
      ...{ type: 'clipboard-offer', transfer: 1 },
      parts: [{ type: 'text/plain', size: TEXT.byteLength }],
    });
    const refused = await until('it is refused', () =>
      raw.messages.find(({ type }) => type === 'clipboard-refused'),
    );
    assert.deepEqual(
      [refused.type, 'error' in refused && refused.error.code],
      ['clipboard-refused', 'err_forbidden'],
    );
    raw.send({ type: 'paste', seq: 1, transfer: 1, modifiers: 2, code: 'KeyV', key: 'v' });
    const write = await raw.call('clipboard.write', 1);
    assert.equal(write.error?.code, 'err_forbidden');

    const client = await connectClient(session);
    await assert.rejects(client.clipboard.write({ text: 'smuggled' }), { code: 'err_forbidden' });
    await assert.rejects(client.clipboard.read(), { code: 'err_forbidden' });
    assert.deepEqual([await remote.run('area.value'), remote.state['pastes']], ['', undefined]);
    raw.close();
  });
});
