import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  freeMemory,
  loadAverage,
  machineSize,
  memoryForThisProcess,
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

  it('include processor times that grow, by no more than the elapsed time', () => {
    const before = processorTimes();
    const after = processorTimes();
    assert.ok(after.busy >= before.busy && after.passed >= before.passed);
    assert.ok(after.busy <= after.passed);
  });
});
