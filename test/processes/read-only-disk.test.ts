import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../server/src/config/load-config.js';
import { acquireLock } from '../../server/src/platform/files/file-lock.js';
import { prepareRuntimeDirectory } from '../../server/src/pool/runtime-directory.js';
import { FileProfileStore } from '../../server/src/profiles/file-profile-store.js';
import { RecordingDirectory } from '../../server/src/recordings/recording-directory.js';
import { FileRecordingIndex } from '../../server/src/recordings/records/file-recording-index.js';
import { FileReplayTokens } from '../../server/src/recordings/tokens/file-replay-tokens.js';
import { FileRegistry } from '../../server/src/registry/file-registry.js';
import { checkMachine } from '../../server/src/startup/checks/check-machine.js';
import { startErrorOf } from '../../server/src/startup/start-error.js';
import { takeStateDirectory } from '../../server/src/startup/state-directory.js';
import { FileEventStore } from '../../server/src/webhooks/event-store.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { quiet } from '../fakes/service-parts.js';

const clock = new ManualClock();
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

  const parts: Record<string, (path: string) => Promise<unknown>> = {
    locks: (path) => acquireLock(join(path, 'locks'), 'a'),
    records: (path) => FileRegistry.open(path, quiet),
    events: (path) => FileEventStore.open(path, quiet),
    profiles: (stateDir) =>
      FileProfileStore.open({ ...{ stateDir, key: Buffer.alloc(32), maxBytes: 1 }, clock, log: quiet }),
    'the index of recordings': (path) => FileRecordingIndex.open(path, quiet),
    'tokens of recordings': (path) => FileReplayTokens.open(path, quiet),
  };
  for (const [name, open] of Object.entries(parts))
    it(`is the reason that the directory of ${name} cannot be made`, () =>
      assert.rejects(open(disk), { code: 'EROFS' }));

  it('is a problem that the check of the machine reports', async () => {
    const result = await checkMachine(loadConfig({ RUNTIME_DIR: join(disk, 'parent', 'run') }));
    assert.ok('problems' in result);
    assert.match(result.problems.join('\n'), /EROFS: read-only file system, mkdir/);
  });
});
