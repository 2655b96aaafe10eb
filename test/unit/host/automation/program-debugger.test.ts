import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PassingTime } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

describe('the debugger of a program', () => {
  it('skips all pauses, because a pause would stop the page for all users', async () => {
    const program = await RelayedProgram.withPage();
    const sent = () =>
      program
        .sentTo('A')
        .filter(({ method }) => method.startsWith('Debugger.'))
        .map(({ method, params }) => [method, params]);
    await program.ask({ id: 1, method: 'Debugger.enable', sessionId: 'A' });
    const expected = [
      ['Debugger.setSkipAllPauses', { skip: true }],
      ['Debugger.enable', {}],
    ];
    assert.deepEqual(sent(), expected);
    const params = { skip: false };
    const [answer] = await program.ask({
      id: 2,
      method: 'Debugger.setSkipAllPauses',
      params,
      sessionId: 'A',
    });
    assert.deepEqual(answer?.result, {});
    assert.deepEqual(sent(), expected);
  });

  it('is refused in a session with masked fields', async () => {
    const program = await RelayedProgram.withPage(true);
    assert.match(await program.refusal('Debugger.enable', {}, 'A'), /masked fields/);
  });
});
