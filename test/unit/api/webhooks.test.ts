import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hasBearer,
  readAuthorization,
  readEvent,
  WebhookVerificationError,
  type SessionEvent,
} from '../../../src/api/index.js';

const bearer = 'a-secret';
const right = { authorization: `Bearer ${bearer}` };

describe('a webhook request', () => {
  // Proves: cloud-browser/api
  it('is verified by its bearer token, with either kind of headers', () => {
    assert.ok(hasBearer(right, bearer));
    assert.ok(hasBearer(new Headers(right), bearer));
    for (const authorization of [
      '',
      'Bearer',
      'Bearer a-secre',
      'Bearer a-secretx',
      'a-secret',
      'Bearer b-secret',
    ]) {
      assert.ok(!hasBearer({ authorization }, bearer), authorization);
    }
    assert.ok(!hasBearer({}, bearer));
  });

  it('about a viewer is parsed from text, from bytes, or from an object of a framework', () => {
    for (const userdata of [{ name: 'Ann' }, 'a token', 7, false, ['a']]) {
      const question = { user_id: 'u', userdata };
      assert.deepEqual(readAuthorization(right, JSON.stringify(question), bearer), question);
      assert.deepEqual(readAuthorization(new Headers(right), question, bearer), question);
      const bytes = Buffer.from(JSON.stringify(question));
      assert.deepEqual(readAuthorization(right, bytes, bearer), question);
      assert.deepEqual(readAuthorization(right, new Uint8Array(bytes), bearer), question);
    }
  });

  it('about an event is parsed', () => {
    const event = { session_id: 's', type: 'inactive' };
    assert.deepEqual(readEvent(right, JSON.stringify(event), bearer), event);
    const recorded: SessionEvent = {
      ...{ session_id: 's', type: 'recording.ready', recording_id: 'r' },
      ...{ seconds: 63.2, bytes: 4_182_011, end: 'session_ended' },
    };
    assert.deepEqual(readEvent(right, recorded, bearer), recorded);
  });

  it('is refused if the program has no bearer to compare', () => {
    for (const none of [undefined, null, ''] as unknown as string[]) {
      const headers = { authorization: `Bearer ${none}` };
      assert.ok(!hasBearer(headers, none));
      assert.throws(() => readEvent(headers, { session_id: 's', type: 'inactive' }, none), {
        name: 'WebhookVerificationError',
        message: 'The program passes no bearer. Pass the bearer that the session was created with.',
      });
    }
  });

  it('of another sender, or unreadable, is refused', () => {
    assert.throws(
      () => readEvent({}, '{"session_id":"s","type":"inactive"}', bearer),
      WebhookVerificationError,
    );
    for (const body of ['', '{', '[]', 'null', '{}', null, 7, Buffer.from('{'), Buffer.from('7')]) {
      assert.throws(() => readEvent(right, body, bearer), WebhookVerificationError);
      assert.throws(() => readAuthorization(right, body, bearer), WebhookVerificationError);
    }
  });
});
