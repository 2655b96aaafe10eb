import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Role } from 'cloud-browser/protocol';
import type { PageReading } from '../../../../server/src/host/features/computer/page/page-reading.js';
import { ProgramCalls } from '../../../../server/src/host/features/computer/program-calls.js';
import type { Screenshots } from '../../../../server/src/host/features/computer/screenshots.js';
import type { FeatureParts } from '../../../../server/src/host/features/feature.js';
import { CLIENT_GONE } from '../../../../server/src/host-protocol.js';
import { clientGone } from '../../../../server/src/host/room/calls/call-error.js';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import { FeatureRoom } from '../../../fakes/feature-room.js';
import type { RawClient } from '../../../fakes/fake-room.js';

const PROGRAM = { tokenId: 'token' };
let room: FeatureRoom;
let person: RawClient;
let programs: ProgramCalls;

beforeEach(async () => {
  room = await FeatureRoom.open();
  person = await room.enter(['control', 'privacy', 'file_download']);
  await room.files.letDownload();
  await room.giveOut('report');
});
afterEach(async () => {
  programs.close();
  await room.close();
});

/** Lets programs use the session with these roles. */
function automate(roles: readonly Role[]): void {
  const { calls, users, endedTokens } = room.room;
  const parts = { calls, users, endedTokens, clock: systemClock };
  const settings = { name: 'Agent', roles, holdSeconds: 1, keepAlive: false };
  // Calls about files use neither the screen nor the page.
  const nothing = {} as unknown;
  programs = new ProgramCalls(
    parts as FeatureParts,
    settings,
    nothing as Screenshots,
    nothing as PageReading,
  );
}
const call = (method: 'ticket' | 'remove', id: unknown) =>
  room.room.calls.ofBackend(`computer.${method}`, [{ id }], PROGRAM);
const ticket = async () => String(await call('ticket', 'report'));

describe('a program', () => {
  it('fetches and removes a download with the role file_download', async () => {
    automate(['file_download']);
    assert.equal(await room.fetch(await ticket()), 200);
    await call('remove', 'report');
    await assert.rejects(call('ticket', 'report'), { code: 'err_download_gone' });
    await assert.rejects(call('remove', 'report'), { code: 'err_download_gone' });
  });

  it('fetches and removes nothing without the role', async () => {
    automate(['control', 'chrome_apis', 'file_upload']);
    for (const method of ['ticket', 'remove'] as const)
      await assert.rejects(call(method, 'report'), { code: 'err_forbidden', message: /file_download/ });
  });

  it('lists the tabs while its earlier call waits', async () => {
    automate(['control', 'chrome_apis', 'file_upload']);
    const { calls } = room.room;
    calls.add('tabs.query', { access: () => undefined, check: () => [{}] }, () => []);
    const client = new AbortController();
    const fields = { files: [], timeout: 15_000 };
    const choice = calls.ofBackend('computer.choose', [fields], PROGRAM, client.signal);
    const refused = assert.rejects(choice, { message: CLIENT_GONE });
    assert.deepEqual(await calls.ofBackend('computer.tabs', [{}], PROGRAM), { tabs: [] });
    client.abort(clientGone());
    await refused;
  });

  it('waits for no page any longer when its client has left, or when its token has ended', async () => {
    automate(['control', 'file_upload']);
    const client = new AbortController();
    const choose = () =>
      room.room.calls.ofBackend('computer.choose', [{ files: [], timeout: 15_000 }], PROGRAM, client.signal);
    const first = assert.rejects(choose(), { code: 'err_call_failed', message: CLIENT_GONE });
    await person.settled();
    client.abort(clientGone());
    await first;
    const second = room.room.calls.ofBackend('computer.choose', [{ files: [], timeout: 15_000 }], PROGRAM);
    const refused = assert.rejects(second, { code: 'err_agent_gone', message: /was revoked/ });
    await person.settled();
    room.room.endedTokens.end('token', 'token_revoked');
    await refused;
  });

  it('gets no list if it loses the role, or if privacy mode begins, while the list is prepared', async () => {
    automate(['file_download']);
    const list = () => room.room.calls.ofBackend('computer.files', [{}], PROGRAM);
    const listed = { files: [{ id: 'report', name: 'report.txt', size: 3, state: 'done' }] };
    assert.deepEqual(await list(), listed);
    const agent = room.room.users.agents.list()[0]?.id ?? '';
    const during = (happens: () => Promise<unknown>) => {
      room.onAllow = async () => {
        room.onAllow = () => Promise.resolve();
        await happens();
      };
    };
    during(() => person.admin('removeRoles', [agent], ['file_download']));
    await assert.rejects(list(), { code: 'err_forbidden', message: /file_download/ });
    await person.admin('addRoles', [agent], ['file_download']);
    during(() => person.call('enablePrivacyMode'));
    await assert.rejects(list(), { code: 'err_forbidden', message: /privacy mode/ });
  });

  it('needs a valid id', async () => {
    automate(['file_download']);
    for (const id of [undefined, 7, 'x'.repeat(65)])
      await assert.rejects(call('ticket', id), { code: 'err_invalid_parameter' });
    await assert.rejects(call('ticket', '../report'), { code: 'err_download_gone' });
  });

  it('fetches nothing in privacy mode of a user, with an earlier ticket neither', async () => {
    automate(['file_download']);
    const earlier = await ticket();
    assert.equal((await person.call('enablePrivacyMode')).error, undefined);
    await assert.rejects(call('ticket', 'report'), { code: 'err_forbidden', message: /privacy mode/ });
    assert.equal(await room.fetch(earlier), 403);
    await person.call('disablePrivacyMode');
    assert.equal(await room.fetch(earlier), 200);
  });

  it('fetches nothing after it lost the role, or after its token has ended', async () => {
    automate(['file_download']);
    const earlier = await ticket();
    const agent = room.room.users.agents.list()[0]?.id ?? '';
    await person.admin('removeRoles', [agent], ['file_download']);
    assert.equal(await room.fetch(earlier), 403);
    await person.admin('addRoles', [agent], ['file_download']);
    assert.equal(await room.fetch(earlier), 200);
    room.room.endedTokens.end('token', 'token_revoked');
    assert.equal(await room.fetch(earlier), 403);
  });

  it('fetches a printed page', async () => {
    automate(['file_download']);
    assert.equal(await room.fetch(String(await call('ticket', await room.print()))), 200);
  });

  it('fetches a printed page of a session with masked fields only with the role for them', async () => {
    await room.close();
    room = await FeatureRoom.open(true);
    person = await room.enter(['file_download']);
    await room.files.letDownload();
    await room.giveOut('report');
    automate(['file_download']);
    const print = await room.print();
    assert.equal(await room.fetch(await ticket()), 200);
    await assert.rejects(call('ticket', print), { code: 'err_forbidden', message: /field_masking/ });
    const { result } = await person.call('files.ticket', [print]);
    assert.equal(await room.fetch(String(result)), 200, 'a person sees the fields in the picture');
    const agent = room.room.users.agents.list()[0]?.id ?? '';
    await person.admin('addRoles', [agent], ['field_masking']);
    assert.equal(await room.fetch(String(await call('ticket', print))), 200);
  });

  it('is the only caller of these methods', async () => {
    automate(['file_download']);
    const { error } = await person.call('computer.ticket', [{ id: 'report' }]);
    assert.equal(error?.code, 'err_forbidden');
  });
});
