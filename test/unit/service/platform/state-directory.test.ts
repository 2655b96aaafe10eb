import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { homeOf, takeStateDirectory } from '../../../../server/src/startup/state-directory.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-state-'))));
afterEach(() => rm(directory, { recursive: true }));

describe('a state directory', () => {
  it('can be used by one process at a time', async () => {
    const path = join(directory, 'state');
    const lock = await takeStateDirectory(path);
    await assert.rejects(takeStateDirectory(path), /is in use by another running service/);
    lock.release();
    (await takeStateDirectory(path)).release();
  });

  it('has a name that survives a restart, and that no copy of it has', async () => {
    const [path, copy] = [join(directory, 'state'), join(directory, 'copy')];
    await mkdir(path);
    const home = await homeOf(path);
    assert.equal(await homeOf(path), home);
    await cp(path, copy, { recursive: true });
    assert.notEqual(await homeOf(copy), home);
  });
});
