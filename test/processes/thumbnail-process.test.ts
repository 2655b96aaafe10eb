import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { thumbnailReader } from '../../server/src/recordings/thumbnails/thumbnail-process.js';

const ORDER = { seconds: 12.5, width: 320 };
const program = (code: string) => [process.execPath, '-e', code];

describe('the program that reads a picture', () => {
  it('gets the video, the time and the width', async () => {
    const read = thumbnailReader(
      program('process.stdin.on("data", (part) => process.stdout.write(part + process.argv.slice(1)))'),
    );
    assert.equal(String(await read(Readable.from([Buffer.from('video')]), ORDER)), 'video12.5,320');
  });

  it('may answer before it has read everything', async () => {
    const read = thumbnailReader(program('process.stdout.write("picture", () => process.exit(0))'));
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    assert.equal(String(await read(endless, ORDER)), 'picture');
    assert.equal(endless.destroyed, true);
  });

  it('has no environment, and no rights of the service', async () => {
    const read = thumbnailReader(
      program('process.stdout.write(JSON.stringify([Object.keys(process.env), process.getuid()]))'),
    );
    const [names, user] = JSON.parse(String(await read(Readable.from([]), ORDER))) as [string[], number];
    assert.deepEqual(names, ['PATH']);
    if (process.getuid?.() === 0) assert.notEqual(user, 0);
  });

  it('is killed when it does not answer', async () => {
    const read = thumbnailReader(program('setInterval(() => {}, 1000)'), 500);
    const video = Readable.from([]);
    const closed = once(video, 'close');
    await assert.rejects(read(video, ORDER), /not read in time/);
    await closed;
  });

  it('fails with its own message', async () => {
    const read = thumbnailReader(
      program('process.stderr.write("The file has no video."); process.exitCode = 1'),
    );
    await assert.rejects(read(Readable.from([]), ORDER), /The file has no video/);
  });
});
