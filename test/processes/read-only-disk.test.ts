import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { prepareRuntimeDirectory } from '../../server/src/pool/runtime-directory.js';
import { RecordingDirectory } from '../../server/src/recordings/recording-directory.js';
import { startErrorOf } from '../../server/src/startup/start-error.js';
import { takeStateDirectory } from '../../server/src/startup/state-directory.js';

const needsRoot = { skip: process.getuid?.() !== 0 && 'needs root' };

describe('a disk that is read-only', needsRoot, () => {
  let disk: string;
  before(async () => {
    disk = await mkdtemp(join(tmpdir(), 'cloud-browser-read-only-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk]);
  });
  after(async () => {
    execFileSync('umount', ['-l', disk]);
    await rmdir(disk);
  });

  const starts: Record<string, (path: string) => Promise<unknown>> = {
    STATE_DIR: takeStateDirectory,
    RUNTIME_DIR: (path) => prepareRuntimeDirectory(path, true),
    RECORDINGS_DIR: (path) => RecordingDirectory.open(path, { key: Buffer.alloc(32), encrypts: false }),
  };
  for (const [name, start] of Object.entries(starts))
    for (const path of ['directory', 'parent/directory'])
      it(`is named in the error of a start with ${name} at a missing ${path}`, async () => {
        const error = await start(join(disk, path)).then(() => undefined, startErrorOf);
        assert.ok(error instanceof Error);
        assert.match(error.message, /^[^\n]+ \(EROFS: read-only file system, mkdir '[^\n]+$/);
        assert.match(error.message, new RegExp(name));
      });
});
