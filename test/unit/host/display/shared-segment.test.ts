import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import type { ShmExtension } from 'x11';
import { SharedSegment } from '../../../../server/src/host/capture/shared-segment.js';
import type { XConnection } from '../../../../server/src/host/display/x-client.js';

test('shared memory that is closed during a read does not return bytes of another file', async () => {
  const x = {
    ...{ AllocID: () => 1, seq_num: 0, on: () => undefined },
    pack_stream: {
      putWithFds: (_: Buffer, descriptors: number[]) => descriptors.forEach((one) => closeSync(one)),
      submit: () => undefined,
    },
    GetInputFocus: (reply: (error: null, focus: { focus: number }) => void) => reply(null, { focus: 0 }),
  };
  const connection = { x, ended: new Promise(() => undefined) } as unknown as XConnection;
  const shm = { fdCapable: true, majorOpcode: 1, Detach: () => undefined } as unknown as ShmExtension;
  const segment = await SharedSegment.create(connection, shm, 4);
  segment.close();
  // The kernel gives the lowest free number to the next file, which is the number of the segment.
  const other = openSync(process.execPath, 'r');
  const target = Buffer.alloc(4);
  try {
    assert.throws(() => segment.read(target, 4, 0), /closed/);
    assert.deepEqual(target, Buffer.alloc(4));
  } finally {
    closeSync(other);
  }
});
