import assert from 'node:assert/strict';
import { it } from 'node:test';
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
