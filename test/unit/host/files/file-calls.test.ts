import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { secretHash } from '../../../../server/src/platform/secrets.js';
import { FeatureRoom } from '../../../fakes/feature-room.js';
import type { RawClient } from '../../../fakes/fake-room.js';

let room: FeatureRoom;
let user: RawClient;
let other: RawClient;

beforeEach(async () => {
  room = await FeatureRoom.open();
  user = await room.enter(['file_download']);
  other = await room.enter(['control', 'privacy', 'file_download']);
  await room.files.letDownload();
  await room.giveOut('report');
});
afterEach(() => room.close());

/** Lets something happen while the session prepares the next list. */
function during(happens: () => Promise<unknown>): void {
  room.onAllow = async () => {
    room.onAllow = () => Promise.resolve();
    await happens();
  };
}

describe('the list of downloads', () => {
  it('is refused if the user loses the role while the session prepares it', async () => {
    assert.equal((await user.call('files.list')).error, undefined);
    during(() => other.admin('removeRoles', [user.id], ['file_download']));
    const { result, error } = await user.call('files.list');
    assert.deepEqual([result, error?.code], [undefined, 'err_forbidden']);
  });

  it("is refused if another user's privacy mode begins while the session prepares it", async () => {
    during(() => other.call('enablePrivacyMode'));
    const { result, error } = await user.call('files.list');
    assert.deepEqual([result, error?.code], [undefined, 'err_forbidden']);
  });
});

describe('the ticket of a user with an admin token', () => {
  it('opens nothing after the token has ended, also if the user has reconnected before', async () => {
    const { admins, room: host } = room.room;
    admins.add('a', secretHash('issued'));
    const admin = await room.enter([]);
    const ticketOf = async () => String((await admin.call('files.ticket', ['report'], 'issued')).result);
    const [first, second] = [await ticketOf(), await ticketOf()];
    assert.equal(await room.fetch(first), 200);
    const { userId, secret } = admin.welcome ?? assert.fail();
    admin.socket.terminate();
    await once(admin.socket, 'close');
    await room.room.enter({ resume: { userId, secret } });
    assert.equal(await room.fetch(second), 200);
    admins.remove('a');
    host.adminsChanged((hash) => admins.acceptsHash(hash));
    assert.deepEqual([await room.fetch(first), await room.fetch(second)], [403, 403]);
  });
});
