import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decodeHostMessage,
  decodeViewerMessage,
  encodeControl,
  MAX_CONTROL_CHARS,
  ProtocolError,
} from '../../../src/protocol/index.js';
import { controlFixtures } from './fixtures.js';

describe('control messages on the wire', () => {
  for (const { name, text, message } of controlFixtures.viewer) {
    it(`${name} is exactly this text in both directions`, () => {
      assert.equal(encodeControl(message), text);
      assert.deepEqual(decodeViewerMessage(text), message);
    });
  }

  for (const { name, text, message } of controlFixtures.host) {
    it(`${name} is exactly this text in both directions`, () => {
      assert.equal(encodeControl(message), text);
      assert.deepEqual(decodeHostMessage(text), message);
    });
  }

  it('ignores types that a newer peer may send', () => {
    assert.equal(decodeViewerMessage('{"type":"dance"}'), undefined);
    assert.equal(decodeHostMessage('{"type":"dance"}'), undefined);
  });

  it('reads only the known fields of a viewer', () => {
    const message = decodeViewerMessage('{"type":"visible","visible":true,"admin":true}');
    assert.deepEqual(message, { type: 'visible', visible: true });
  });

  it('reads only the value true for held keys in a hello', () => {
    const hello = (promise: string) =>
      `{"type":"hello","version":1,"media":["image"],"tellsHeld":${promise}}`;
    const known = { type: 'hello', version: 1, media: ['image'] };
    assert.deepEqual(decodeViewerMessage(hello('true')), { ...known, tellsHeld: true });
    assert.deepEqual(decodeViewerMessage(hello('"yes"')), known);
    assert.deepEqual(decodeViewerMessage('{"type":"held","more":1}'), { type: 'held' });
    assert.deepEqual(decodeViewerMessage('{"type":"probe","more":1}'), { type: 'probe' });
    const second = { type: 'second-hello', version: 1, key: 'k' };
    assert.deepEqual(decodeViewerMessage(JSON.stringify({ ...second, more: 1 })), second);
    assert.throws(
      () => decodeViewerMessage(JSON.stringify({ ...second, key: 'k'.repeat(257) })),
      ProtocolError,
    );
  });

  for (const userdata of ['a token', '', 7, 0, true, false, ['a', 1], [], { name: 'Ann' }]) {
    it(`keeps the user data ${JSON.stringify(userdata)} of a hello unchanged`, () => {
      const hello = { type: 'hello', version: 1, media: ['image'], userdata };
      assert.deepEqual(decodeViewerMessage(JSON.stringify(hello)), hello);
    });
  }

  it('reads null in a hello as no user data', () => {
    const hello = decodeViewerMessage('{"type":"hello","version":1,"media":["image"],"userdata":null}');
    assert.deepEqual(hello, { type: 'hello', version: 1, media: ['image'] });
  });

  it('reads only the known media of a hello, and requires at least one', () => {
    const hello = decodeViewerMessage('{"type":"hello","version":1,"media":["h266","image"]}');
    assert.deepEqual(hello, { type: 'hello', version: 1, media: ['image'] });
    assert.throws(() => decodeViewerMessage('{"type":"hello","version":1,"media":["h266"]}'), ProtocolError);
  });

  it('refuses invalid messages', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '1',
      '{',
      '{"type":"ping"}',
      '{"type":"ping","id":"1"}',
      '{"type":"visible","visible":1}',
      '{"type":"sound"}',
      '{"type":"hello","version":1,"media":"h264"}',
      '{"type":"hello","version":1,"media":["image"],"resume":"u"}',
      '{"type":"hello","version":1,"media":["image"],"resume":{"userId":1,"secret":"s"}}',
      `{"type":"ping","id":1,"x":"${'x'.repeat(MAX_CONTROL_CHARS)}"}`,
    ]) {
      assert.throws(() => decodeViewerMessage(text), ProtocolError, text.slice(0, 80));
    }
  });
});
