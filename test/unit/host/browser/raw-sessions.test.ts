import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { MAX_RAW_COMMAND_BYTES } from '../../../../server/src/host/browser/cdp/answer-limits.js';
import { CdpConnection } from '../../../../server/src/host/browser/cdp/cdp-connection.js';
import { RawSessions } from '../../../../server/src/host/browser/cdp/raw-sessions.js';

it('raw sessions forget the commands of a session that has ended, and wait for all others', () => {
  let id = 0;
  const transport = { write: () => (id += 1), release: () => undefined };
  const unused = () => assert.fail();
  const raw = new RawSessions(transport, { onMessage: unused, onTooLarge: unused, onClosed: unused });
  raw.own('ended');
  raw.own('other');
  for (const sessionId of ['ended', 'other']) raw.send('Runtime.evaluate', {}, sessionId);
  raw.disown('ended');
  assert.deepEqual([raw.waitsFor(1), raw.waitsFor(2)], [false, true]);
  const late = { id: 1, event: undefined, sessionId: undefined, text: '{}' };
  assert.equal(raw.take(late), false, 'a late answer is for nobody');
});

it('raw sessions send no command that does not fit into the buffer of the browser', () => {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()];
  const unused = () => assert.fail();
  const listener = { onMessage: unused, onTooLarge: unused, onClosed: unused };
  const raw = new CdpConnection(toBrowser, fromBrowser).raw(listener);
  // The program sent 1e20. The host writes this number with 21 digits.
  const numbers = Array.from({ length: 10 }, () => 1e20);
  const whole = 'x'.repeat(MAX_RAW_COMMAND_BYTES - 21 * numbers.length);
  assert.throws(() => raw.send('Runtime.evaluate', { whole, numbers }, 'page'), /Send its data in parts/);
  assert.equal(toBrowser.read(), null);
  const id = raw.send('Runtime.evaluate', { expression: '1' }, 'page') ?? 0;
  assert.equal(raw.waitsFor(id), true, 'later commands are sent');
});
