import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectedClient } from '../../fakes/connected-client.js';

describe('client.screenshot()', () => {
  it('returns the picture of the session as a Blob, with its options passed on', async () => {
    const { client, host } = await connectedClient();
    const taken = client.screenshot({ format: 'jpeg', scale: 0.5 });
    const call = host.last.of('call').at(-1);
    assert.equal(call?.method, 'screenshot');
    assert.deepEqual(call.args, [{ format: 'jpeg', scale: 0.5 }]);
    const data = Buffer.from([1, 2, 254, 255]).toString('base64');
    host.last.send({ type: 'answer', id: call.id, result: { format: 'jpeg', width: 1, height: 1, data } });
    const blob = await taken;
    assert.equal(blob.type, 'image/jpeg');
    assert.deepEqual([...new Uint8Array(await blob.arrayBuffer())], [1, 2, 254, 255]);
  });

  it('rejects like any call', async () => {
    const { client, host } = await connectedClient();
    const taken = client.screenshot();
    const { id } = host.last.of('call').at(-1) ?? { id: 0 };
    const error = { code: 'err_picture_too_large', message: 'too large' } as const;
    host.last.send({ type: 'answer', id, error });
    await assert.rejects(taken, { code: 'err_picture_too_large' });
  });
});
