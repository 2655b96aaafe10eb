import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { NameTakenError } from '../../../server/src/cluster/nodes/taken-name.js';
import { joinAs } from '../../../server/src/startup/node-name.js';
import { quiet } from '../../fakes/test-service.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-name-'))));
afterEach(() => rm(directory, { recursive: true }));

/** Joins a cluster in which these names are taken. Returns the resulting name. */
function joined(taken: string[], nodeName = 'host:8080', nodeNameIsSet = false): Promise<string> {
  return joinAs({ nodeName, nodeNameIsSet }, directory, quiet, async (name) => {
    if (taken.includes(name)) throw new NameTakenError(name, 'http://other');
    return name;
  });
}

describe('the name of a node', () => {
  it('is the default name if it is free', async () => {
    assert.equal(await joined([]), 'host:8080');
  });

  it('has a suffix on a cloned machine, and keeps it after a restart', async () => {
    const name = await joined(['host:8080']);
    assert.match(name, /^host:8080-[\da-f]{6}$/);
    assert.equal(await joined([]), name);
    assert.equal(await joined(['host:8080']), name);
  });

  it('has another suffix on a clone of that clone', async () => {
    const first = await joined(['host:8080']);
    const second = await joined(['host:8080', first]);
    assert.match(second, /^host:8080-[\da-f]{6}$/);
    assert.notEqual(second, first);
  });

  it('is not used before it is stored', async () => {
    const used: string[] = [];
    const join = (name: string): Promise<never> => {
      used.push(name);
      return Promise.reject(new NameTakenError(name, 'http://other'));
    };
    const configured = { nodeName: 'host:8080', nodeNameIsSet: false };
    const missing = `${directory}/missing`;
    await assert.rejects(joinAs(configured, missing, quiet, join), { code: 'ENOENT' });
    assert.deepEqual(used, ['host:8080']);
  });

  it('changes with the name of the machine', async () => {
    await joined(['host:8080']);
    assert.equal(await joined([], 'renamed:8080'), 'renamed:8080');
  });

  it('is chosen again if its file is damaged', async () => {
    for (const damaged of ['', '{"nodeName":"host:8080"', 'null', '{"nodeName":"host:8080","name":1}']) {
      await writeFile(join(directory, 'node-name'), damaged);
      assert.equal(await joined([]), 'host:8080');
      assert.match(await joined(['host:8080']), /^host:8080-[\da-f]{6}$/);
    }
  });

  it('never changes if an operator chose it', async () => {
    await assert.rejects(joined(['one'], 'one', true), { code: 'err_node_name_taken' });
  });
});
