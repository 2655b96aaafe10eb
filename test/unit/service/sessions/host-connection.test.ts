import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HostConnection } from '../../../../server/src/sessions/host-connection.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';
import type { HostListener } from '../../../../server/src/sessions/ports.js';
import { FakeHost } from '../../../fakes/fake-host-pool.js';

it('a host that does not answer gets a limited number of calls of programs and of others', async () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token');
  const host = new FakeHost(session, { load: null, save: null }, {} as HostListener);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  host.perform = () => answered;
  const connection = new HostConnection();
  connection.use(Promise.resolve(host));
  const program = { name: 'agent' };
  const tooMany = { code: 'err_too_many_calls' };
  const calls: Promise<unknown>[] = Array.from({ length: 128 }, () =>
    connection.forward('computer.files', [{}], program),
  );
  await assert.rejects(connection.forward('computer.files', [{}], program), tooMany);
  calls.push(...Array.from({ length: 128 }, () => connection.forward('users.list', [])));
  await assert.rejects(connection.forward('users.list', []), tooMany);
  answer();
  await Promise.all(calls);
  assert.equal(host.calls.length, 256);
  await connection.forward('users.list', []);
});

it('a host that is starting gets a limited number of bookmark files', async () => {
  const session = hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token');
  const host = new FakeHost(session, { load: null, save: null }, {} as HostListener);
  let start: () => void = () => undefined;
  const connection = new HostConnection();
  connection.use(new Promise((resolve) => (start = () => resolve(host))));
  const bookmarks = [{ title: 'A page', url: 'https://example.com/' }];
  const added = Array.from({ length: 128 }, () => connection.addBookmarks(bookmarks));
  await assert.rejects(connection.addBookmarks(bookmarks), { code: 'err_too_many_calls' });
  start();
  await Promise.all(added);
  await connection.addBookmarks(bookmarks);
  assert.equal(host.bookmarks.length, 129);
});
