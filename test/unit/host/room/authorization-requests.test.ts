import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeViewerMessage, PROTOCOL_VERSION } from 'cloud-browser/protocol';
import type { AuthorizationRequest } from '../../../../server/src/host-protocol.js';
import { AuthorizationRequests } from '../../../../server/src/host/room/authorization-requests.js';

const user = { userId: 'ada', userdata: {}, ip: '192.0.2.1', userAgent: '' };

test('each request gets its own answer', async () => {
  const sent: AuthorizationRequest[] = [];
  const requests = new AuthorizationRequests((request) => sent.push(request));
  const asked = [requests.ask(user), requests.ask({ ...user, userId: 'bob' })];
  const [first, second] = sent.map(({ request }) => request);
  requests.answered(second ?? 0, { granted: true, permissions: { priority: 1 } });
  requests.answered(first ?? 0, { granted: false, message: 'No.' });
  assert.deepEqual(await Promise.all(asked), [
    { granted: false, message: 'No.' },
    { granted: true, permissions: { priority: 1 } },
  ]);
});

test('user data that cannot be sent to the service denies access and nothing else', async () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const text = `{"type":"hello","version":${PROTOCOL_VERSION},"media":["h264"],"userdata":${deep}}`;
  const hello = decodeViewerMessage(text);
  assert.ok(hello?.type === 'hello' && hello.userdata !== undefined);
  // The channel to the service encodes messages in the same way, and throws in the same way.
  const requests = new AuthorizationRequests((request) => void JSON.stringify(request));
  const answer = await requests.ask({ ...user, userdata: hello.userdata });
  assert.equal(answer.granted, false);
});
