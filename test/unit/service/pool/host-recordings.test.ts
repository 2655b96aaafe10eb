import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { HostRecordings } from '../../../../server/src/pool/host/host-recordings.js';
import { encodePart, type RecordingEnd } from '../../../../server/src/recording-protocol.js';

function setUp(reasonAtClose: RecordingEnd) {
  const channel = new PassThrough();
  const problems: unknown[] = [];
  const recordings = new HostRecordings(
    channel,
    (error) => problems.push(error),
    () => reasonAtClose,
  );
  const parts: string[] = [];
  /** Adds a recording. Resolves with the reason when its channel is closed. */
  const add = (number: number) =>
    new Promise<RecordingEnd>((resolve) => {
      recordings.add(number, {
        part: async ({ type }) => {
          parts.push(type);
        },
        closed: resolve,
      });
    });
  return { channel, parts, problems, add };
}

describe('the recordings of a host', () => {
  it('are closed with the reason of the session when the host has gone', async () => {
    for (const reason of ['session_ended', 'interrupted'] as const) {
      const { channel, add } = setUp(reason);
      const closed = add(1);
      channel.destroy();
      assert.equal(await closed, reason);
      assert.equal(await add(2), reason, 'a recording that starts later');
    }
  });

  it('get all parts that were sent before the host has gone', async () => {
    const { channel, parts, add } = setUp('interrupted');
    const closed = add(1);
    channel.write(encodePart(1, { type: 'init', data: Buffer.alloc(3) }));
    channel.end(encodePart(1, { type: 'event', data: Buffer.from('{}') }));
    assert.equal(await closed, 'interrupted');
    assert.deepEqual(parts, ['init', 'event']);
  });

  it('end when the host sends anything else', async () => {
    const { channel, problems, add } = setUp('interrupted');
    const closed = add(1);
    channel.write(Buffer.alloc(100, 255));
    await closed;
    assert.equal(problems.length, 1);
  });
});
