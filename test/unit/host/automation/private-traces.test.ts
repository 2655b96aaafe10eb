import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Command } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

let time: PassingTime;
let program: RelayedProgram;
beforeEach(async () => {
  time = new PassingTime();
  program = await RelayedProgram.withPage();
});
afterEach(() => time.restore());

const call = (method: string, params: object = {}, sessionId = 'A') =>
  program.ask({ id: 1, method, params, sessionId });

/** Lets another user start and end privacy mode. Returns the commands that the relay sends then. */
async function privacy(): Promise<Command[]> {
  program.hadPrivacy = true;
  program.canRead = false;
  await settle();
  program.canRead = true;
  const from = program.browser.commands.length;
  program.relay.privacyEnded();
  await settle();
  return program.browser.commands.slice(from);
}

/** Sends a command. The browser sends an event before its answer. Returns the events that arrive. */
async function repeats(method: string, event: string): Promise<unknown[]> {
  const { browser } = program;
  browser.silent = (command) => command.method === method;
  await call(method);
  const from = program.told.length;
  browser.tell(event, { text: 'secret' }, 'A');
  browser.speak();
  await settle();
  browser.tell(event, { text: 'later' }, 'A');
  await settle();
  return program.told.slice(from).flatMap(({ method: name, params }) => (name ? [params] : []));
}

describe('after the privacy mode of another user', () => {
  it('the browser forgets responses and console objects that it has kept for the program', async () => {
    await program.attach('W', 'https://example.com/worker.js', 'worker', 'A');
    const sizes = { maxTotalBufferSize: 1000, maxPostDataSize: 10 };
    await call('Network.enable', { ...sizes, other: 'x'.repeat(1000) });
    await call('Network.enable', {}, 'W');
    await call('Network.disable', {}, 'W');
    const sent = (await privacy()).map(({ method, params, sessionId }) => [method, params, sessionId]);
    const group = { objectGroup: 'console' };
    assert.deepEqual(sent, [
      ['Network.enable', { maxTotalBufferSize: 0 }, 'A'],
      ['Network.enable', sizes, 'A'],
      ['Runtime.releaseObjectGroup', group, 'A'],
      ['Runtime.releaseObjectGroup', group, 'W'],
    ]);
  });

  for (const [method, event] of [
    ['Audits.enable', 'Audits.issueAdded'],
    ['Console.enable', 'Console.messageAdded'],
    ['Log.enable', 'Log.entryAdded'],
    ['Runtime.enable', 'Runtime.consoleAPICalled'],
    ['Runtime.enable', 'Runtime.exceptionThrown'],
  ] as const)
    it(`a program gets no ${event} of the time before ${method}`, async () => {
      const [old, later] = [{ text: 'secret' }, { text: 'later' }];
      assert.deepEqual(await repeats(method, event), [old, later], 'without privacy mode');
      await privacy();
      assert.deepEqual(await repeats(method, event), [later]);
    });

  it('a program repeats no request, which may be of that time', async () => {
    const replay = () => program.refusal('Network.replayXHR', { requestId: '1.2' }, 'A');
    assert.equal(await replay(), 'nothing');
    await privacy();
    assert.match(await replay(), /privacy mode/);
  });

  it('a program gets events of the network, but no reports, which may be old', async () => {
    await privacy();
    const events = ['Network.reportingApiReportAdded', 'Network.requestWillBeSent'];
    for (const event of events) program.browser.tell(event, {}, 'A');
    await settle();
    const told = program.told.filter(({ method = '' }) => events.includes(method));
    assert.deepEqual(
      told.map(({ method }) => method),
      ['Network.requestWillBeSent'],
    );
  });
});
