import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { homeDirectory, thisMachine } from '../../../../server/src/config/machine.js';
import {
  freeMemory,
  loadAverage,
  machineSize,
  memoryForThisProcess,
  memoryLimit,
  processorTimes,
} from '../../../../server/src/platform/process/machine-resources.js';

describe('the resources of this machine', () => {
  it('include a size, and free memory within that size', () => {
    const { cores, memoryBytes } = machineSize();
    assert.ok(cores >= 1);
    assert.ok(freeMemory() > 0 && freeMemory() < memoryBytes);
    assert.ok(memoryForThisProcess() > 0);
    assert.ok(loadAverage() >= 0);
  });

  it('include the limit of the control group, if it is below the memory of the machine', () => {
    assert.equal(memoryLimit(64e9, 8e9), 8e9);
    assert.equal(memoryLimit(64e9, 2 ** 64), 64e9);
    assert.equal(memoryLimit(64e9, 0), 64e9, 'the limit is unknown');
    assert.equal(thisMachine().memoryBytes, memoryLimit());
  });

  it('include the home directory /, if the user has none', () => {
    const missing = () => {
      throw new Error('uv_os_homedir returned ENOENT (no such file or directory)');
    };
    assert.equal(homeDirectory(missing), '/');
  });

  it('include processor times that grow, by no more than the elapsed time', () => {
    const before = processorTimes();
    const after = processorTimes();
    assert.ok(after.busy >= before.busy && after.passed >= before.passed);
    assert.ok(after.busy <= after.passed);
  });
});
