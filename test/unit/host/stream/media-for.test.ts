import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaFor } from '../../../../server/src/host/stream/stream-parts.js';

test('full colour is used with quality sharp, for viewers that support it', () => {
  const offered = ['h264-444', 'h264', 'image'] as const;
  assert.equal(mediaFor({ quality: 'sharp' }, offered), 'h264-444');
  assert.equal(mediaFor({ quality: 'sharp' }, ['h264', 'image']), 'h264');
  assert.equal(mediaFor({ quality: 'sharp' }, ['h264-limited', 'image']), 'h264-limited');
  assert.equal(mediaFor({ quality: 'smooth' }, offered), 'h264');
  assert.equal(mediaFor({ quality: 'blocky' }, offered), 'h264');
});

test("otherwise the viewer's first choice is used", () => {
  assert.equal(mediaFor({ quality: 'sharp' }, ['image', 'h264']), 'image');
  assert.equal(mediaFor({ quality: 'smooth' }, ['h264-444']), 'h264-444');
});
