import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import { PassingTime } from '../../../fakes/passing-time.js';
import { exceptionOf, RelayedProgram } from '../../../fakes/relayed-program.js';

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

/** Returns the answer to a script of a program with a page. */
async function answerTo(method: string, prepare: (program: RelayedProgram) => void, masks = false) {
  const program = await RelayedProgram.open(masks);
  await program.attach('A', 'https://example.com/');
  prepare(program);
  const params = { expression: '1', functionDeclaration: '() => 1', objectId: '1', userGesture: true };
  const [answer] = await program.ask({ id: 1, method, params, sessionId: 'A' });
  return answer;
}

const lacksControl = (program: RelayedProgram) => {
  program.held = () => Promise.reject(new CallError('err_forbidden', 'This needs the role control.'));
};

describe('a script that a program may not run', () => {
  // Playwright replaces the error of a script with a sentence about a navigation.
  for (const method of ['Runtime.evaluate', 'Runtime.callFunctionOn'])
    it(`${method} ends with an exception that has the reason, so that Playwright shows it`, async () => {
      const masked = await answerTo(method, () => undefined, true);
      assert.match(exceptionOf(masked), /^Error: .*masked fields.*role field_masking/);
      assert.equal(masked?.error, undefined);
      assert.match(exceptionOf(await answerTo(method, lacksControl)), /the role control/);
    });

  it('ends with an exception that has the reason if a person keeps control', async () => {
    const answer = await answerTo('Runtime.evaluate', (program) => {
      const reason = 'A person has control of the browser.';
      program.held = () => Promise.reject(new CallError('err_person_has_control', reason));
    });
    assert.match(exceptionOf(answer), /^Error: .*person has control/);
  });

  it('ends with an error if the session is too busy', async () => {
    const answer = await answerTo('Runtime.evaluate', (program) => {
      program.held = () => Promise.reject(new CallError('err_too_many_calls', 'Wait for some to end.'));
    });
    assert.match(answer?.error?.message ?? '', /Wait for some/);
  });
});

it('another command that a program may not call ends with an error', async () => {
  const answer = await answerTo('Input.insertText', lacksControl);
  assert.equal(answer?.error?.code, -32000);
  assert.match(answer.error.message, /^Input\.insertText: This needs the role control/);
});
