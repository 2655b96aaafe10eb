import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../demo/api.js';
import { scaleFor, screenOf } from '../../../demo/operator/sessions/picture-size.js';
import {
  hasEnded,
  isPrivate,
  nameOf,
  problemText,
  sessionsText,
  shortId,
  stateText,
  viewersText,
} from '../../../demo/operator/sessions/session-words.js';

const ID = '4f1d1c1a-0000-4000-8000-000000000001';
const errorOf = (code: string, status = 503) => new ApiError(code, 'A sentence.', status);

describe('the size of a picture', () => {
  it('is that of the default screen at first', () => {
    assert.equal(1280 * scaleFor(undefined), 480);
  });

  it('fits into a tile, whatever the shape of the screen is', () => {
    for (const [width, height] of [
      [1280, 720],
      [3840, 2160],
      [390, 844],
      [1920, 1080],
    ] as const) {
      const scale = scaleFor({ width, height });
      assert.ok(width * scale <= 482 && height * scale <= 271, `${width} × ${height}`);
      assert.ok(width * scale > 475 || height * scale > 265, `${width} × ${height}`);
    }
  });

  it('is never larger than the screen, and never too small for the API', () => {
    assert.equal(scaleFor({ width: 200, height: 100 }), 1);
    assert.equal(scaleFor({ width: 200, height: 100_000 }), 0.05);
  });

  it('reveals the size of the screen', () => {
    assert.deepEqual(screenOf({ width: 480, height: 270 }, 0.375), { width: 1280, height: 720 });
  });
});

describe('the words about a session', () => {
  it('contain its tag, or the start of its id', () => {
    assert.equal(nameOf({ id: ID, tag: 'order-7' }), 'order-7');
    assert.equal(nameOf({ id: ID, tag: null }), '4f1d1c1a…');
    assert.equal(shortId('short'), 'short');
  });

  it('contain the number of viewers and sessions', () => {
    assert.deepEqual([0, 1, 1_200].map(viewersText), ['No viewers', '1 viewer', '1,200 viewers']);
    assert.equal(sessionsText(0, false), 'No session is running.');
    assert.equal(sessionsText(1, false), 'One session is running.');
    assert.equal(sessionsText(7, false), '7 sessions are running.');
    assert.equal(sessionsText(100, true), 'The oldest 100 sessions.');
  });

  it('explain why a state has no picture', () => {
    assert.equal(stateText({ state: 'running', standby: false }), undefined);
    for (const row of [
      { state: 'starting', standby: false },
      { state: 'ending', standby: false },
      { state: 'running', standby: true },
    ] as const)
      assert.match(stateText(row) ?? '', /session/);
  });

  it('distinguish the end, privacy mode and other errors', () => {
    assert.deepEqual(
      [errorOf('err_session_terminated', 400), errorOf('err_not_found', 404), errorOf('err_busy')].map(
        hasEnded,
      ),
      [true, true, false],
    );
    assert.deepEqual([errorOf('err_forbidden', 403), new Error('no')].map(isPrivate), [true, false]);
    assert.equal(
      problemText(errorOf('err_node_unreachable')),
      'The machine of this session does not answer.',
    );
    assert.equal(problemText(errorOf('unreachable', 0)), 'The service does not answer.');
    assert.equal(problemText(new Error('no image')), 'The picture could not be taken.');
  });
});
