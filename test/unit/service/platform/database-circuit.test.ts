import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Circuit } from '../../../../server/src/database/circuit.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/service-parts.js';
import { setImmediate as turn } from 'node:timers/promises';

function circuitOf(answers: boolean[]) {
  const clock = new ManualClock();
  const probes: number[] = [];
  const circuit = new Circuit({
    clock,
    log: quiet,
    probe: () => {
      probes.push(clock.now());
      return answers.shift() ? Promise.resolve() : Promise.reject(new Error('away'));
    },
  });
  const changes: boolean[] = [];
  circuit.watch((available) => changes.push(available));
  return { circuit, clock, probes, changes };
}

describe('the circuit breaker of a database', () => {
  it('opens at the first failure, and checks at once and then every second until there is an answer', async () => {
    const { circuit, clock, probes, changes } = circuitOf([false, false, true]);
    circuit.failed(new Error('lost'));
    circuit.failed(new Error('lost'));
    assert.equal(circuit.available, false);
    for (const wait of [0, 1_500, 1_500, 1_500]) {
      clock.advance(wait);
      await turn();
    }
    assert.equal(circuit.available, true);
    assert.equal(probes.length, 3);
    assert.deepEqual(changes, [false, true]);
    assert.equal(clock.pending, 0);
  });

  it('closes at any success', async () => {
    const { circuit, clock, changes } = circuitOf([]);
    circuit.failed(new Error('lost'));
    circuit.succeeded();
    circuit.succeeded();
    assert.deepEqual(changes, [false, true]);
    assert.equal(clock.pending, 0);
  });

  it('continues when a listener throws', () => {
    const { circuit, changes } = circuitOf([]);
    const stop = circuit.watch(() => {
      throw new Error('defect');
    });
    circuit.failed(new Error('lost'));
    stop();
    assert.deepEqual(changes, [false]);
    circuit.close();
  });

  it('stops checking when it is closed', () => {
    const { circuit, clock } = circuitOf([]);
    circuit.failed(new Error('lost'));
    circuit.close();
    assert.equal(clock.pending, 0);
  });
});
