import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askSession } from '../support/ask-session.js';
import {
  CHROMIUM_MAIN,
  onlyProcess,
  SESSION_HOST,
  sessionProcesses,
  stillAlive,
} from '../support/processes.js';
import { Service, type Session } from '../support/service.js';
import { damageProfile, storedProfile, storedProfiles } from '../support/stored-profile.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
let service: Service;
test.beforeAll(async () => {
  service = await Service.start();
});

test.describe('a profile', () => {
  test(
    'brings cookies, local storage and open tabs into the next session',
    { tag: '@main' },
    async ({ pages }) => {
      const page = pages.page('marker');
      const first = await service.create({ start_url: page.url, profile: true });
      await page.loaded();
      await page.run('document.cookie = "login=cookie-in-clear; max-age=86400"');
      await page.run('localStorage.setItem("token", "storage-in-clear")');
      await service.end(first);

      assert.deepEqual(await storedProfiles(service), [first.session_id]);
      const sealed = await storedProfile(service, first.session_id);
      for (const secret of ['cookie-in-clear', 'storage-in-clear', 'sqlite', '127.0.0.1'])
        assert.equal(sealed.includes(secret), false, secret);
      note(`${sealed.length} bytes`);

      const second = await service.create({ profile: { load: first.session_id } });
      await page.loaded(2);
      assert.match(String(await page.run('document.cookie')), /login=cookie-in-clear/);
      assert.equal(await page.run('localStorage.getItem("token")'), 'storage-in-clear');
      await service.end(second);
      const kept = await storedProfile(service, first.session_id);
      assert.deepEqual(kept, sealed, 'a session that only loads changes nothing');
    },
  );

  // Proves: profiles are sealed, damaged or foreign ones are refused
  test('that is damaged is refused when a session requests it', async () => {
    const session = await service.create({ profile: true });
    await service.end(session);
    await damageProfile(service, session.session_id);
    const { status, body } = await service.request('POST', '/v0/vm', { profile: session.session_id });
    assert.deepEqual([status, body['code']], [400, 'err_profile_unreadable']);
  });

  // Proves: one session writes a profile
  test('is written by one session at a time', async () => {
    const writer = await service.create({ profile: true });
    const { status, body } = await service.request('POST', '/v0/vm', { profile: writer.session_id });
    assert.deepEqual([status, body['code']], [409, 'err_profile_in_use']);
    await service.end(writer);
  });

  // Proves: profile.load; profile.save
  test('is forked when the session saves to another profile than it loaded', async ({ show }) => {
    const { remote: page, session } = await show('marker', { profile: true }, service);
    await page.run('document.cookie = "origin=first; max-age=86400"');
    await service.end(session);
    const fork = await service.create({
      start_url: page.url,
      profile: { load: session.session_id, save: true },
    });
    await page.loaded(2);
    await page.run('document.cookie = "origin=fork; max-age=86400"');
    await service.end(fork);
    for (const [loads, profile, cookie] of [
      [3, session.session_id, 'origin=first'],
      [4, fork.session_id, 'origin=fork'],
    ] as const) {
      const next = await service.create({ start_url: page.url, profile: { load: profile } });
      await page.loaded(loads);
      assert.equal(await page.run('document.cookie'), cookie);
      await service.end(next);
    }
  });

  for (const { name, command, ended } of [
    { name: 'its browser was killed', command: CHROMIUM_MAIN, ended: false },
    { name: 'its host was killed', command: SESSION_HOST, ended: true },
  ]) {
    // Proves: profiles are saved however a session ends
    test(`is saved when ${name}`, async ({ show }) => {
      const { remote: page, session } = await show('marker', { profile: true }, service);
      // Add the bookmark at once: a call that arrives before the browser has started must not be lost.
      await bookmark(session, name);
      await until('the browser has written the bookmark', () => isWritten(name));
      const parts = sessionProcesses(service.pid);
      process.kill(onlyProcess(service.pid, command).pid, 'SIGKILL');
      if (ended) await until('nothing of the session lives', () => stillAlive(parts).length === 0);
      else await page.loaded(2);
      await service.end(session);

      const next = await service.create({ profile: { load: session.session_id } });
      await until('the bookmark is back', () => isWritten(name));
      await service.end(next);
    });
  }

  // Proves: profiles are saved however a session ends
  test('is saved when the service is asked to stop', async ({ show }) => {
    const { directory } = service;
    const { remote: page, session } = await show('marker', { profile: true }, service);
    await page.run('document.cookie = "kept=yes; max-age=86400"');
    process.kill(service.pid, 'SIGTERM');
    await service.process.exited;
    service = await Service.startIn(directory);
    const next = await service.create({ start_url: page.url, profile: { load: session.session_id } });
    await page.loaded(2);
    assert.match(String(await page.run('document.cookie')), /kept=yes/);
    await service.end(next);
  });
});

async function bookmark(session: Session, title: string): Promise<void> {
  const file = `<DL><DT><A HREF="https://example.com/">${title}</A></DL>`;
  await askSession(session, 'POST', 'bookmarks', file, { 'content-type': 'text/html' });
}

/** True if the browser of the only running session has a bookmark of this title on its disk. */
async function isWritten(title: string): Promise<boolean> {
  const places = join(service.directory, 'run');
  for (const slot of await readdir(places)) {
    const path = join(places, slot, 'browser', 'profile', 'Default', 'Bookmarks');
    const content = await readFile(path, 'utf8').catch(() => '');
    if (content.includes(title)) return true;
  }
  return false;
}
