import { open, type FileHandle } from 'node:fs/promises';
import type { TestContext } from 'node:test';

type Write = (
  this: FileHandle,
  bytes: Uint8Array,
  from: number,
  length: number,
  at: number,
) => Promise<{ bytesWritten: number }>;

/** Makes each write to a file accept at most two bytes until the test ends, as a nearly full disk may do. */
export async function shortWrites(context: TestContext): Promise<void> {
  const some = await open('/dev/null');
  const handles = Object.getPrototypeOf(some) as { write: Write };
  await some.close();
  const { write } = handles;
  const short: Write = function (bytes, from, length, at) {
    return write.call(this, bytes, from, Math.min(length, 2), at);
  };
  context.mock.method(handles, 'write', short);
}
