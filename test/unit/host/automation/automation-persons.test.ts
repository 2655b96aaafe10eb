import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HandoffResult } from '../../../../server/src/host/room/agents/agent.js';
import { HeldInput } from '../../../../server/src/host/features/automation/held-input.js';
import { PersonRequests } from '../../../../server/src/host/features/automation/person-requests.js';
import { ShownPointer } from '../../../../server/src/host/features/automation/shown-pointer.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** Resolves when pending promises have settled. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const BUTTON = { button: 'left', x: 1, y: 2 };
const PRESS = { ...BUTTON, type: 'mousePressed' };
const RELEASE = { ...BUTTON, type: 'mouseReleased' };

describe('what a program holds when a person takes control', () => {
  it('is released once, and the release of the program itself has no effect then', () => {
    const held = new HeldInput();
    const posted: unknown[] = [];
    const post = (method: string, params: object) => posted.push([method, 'type' in params && params.type]);
    held.note('Input.dispatchMouseEvent', PRESS, 's');
    held.note('Input.dispatchKeyEvent', { type: 'keyDown', code: 'KeyA', key: 'a' }, 's');
    assert.equal(held.any, true);
    held.releaseAll(post);
    held.releaseAll(post);
    assert.equal(held.any, false);
    assert.deepEqual(posted, [
      ['Input.dispatchKeyEvent', 'keyUp'],
      ['Input.dispatchMouseEvent', 'mouseReleased'],
    ]);
    assert.equal(held.wasReleased('Input.dispatchMouseEvent', RELEASE, 'other'), false);
    assert.equal(held.wasReleased('Input.dispatchMouseEvent', RELEASE, 's'), true);
    assert.equal(held.wasReleased('Input.dispatchMouseEvent', RELEASE, 's'), false);
    assert.equal(held.wasReleased('Input.dispatchKeyEvent', { type: 'keyUp', code: 'KeyA' }, 's'), true);
  });

  it('is not released again after a move that still names the button', () => {
    const held = new HeldInput();
    held.note('Input.dispatchMouseEvent', PRESS, 's');
    held.note('Input.dispatchKeyEvent', { type: 'rawKeyDown', code: 'KeyA' }, 's');
    held.releaseAll(() => undefined);
    held.note('Input.dispatchMouseEvent', { ...BUTTON, type: 'mouseMoved', x: 30 }, 's');
    held.note('Input.dispatchKeyEvent', { type: 'char', code: 'KeyA' }, 's');
    assert.equal(held.wasReleased('Input.dispatchMouseEvent', RELEASE, 's'), true);
    assert.equal(held.wasReleased('Input.dispatchKeyEvent', { type: 'keyUp', code: 'KeyA' }, 's'), true);
  });

  it('is released at the last position of the pointer', () => {
    const held = new HeldInput();
    const posted: unknown[] = [];
    held.note('Input.dispatchMouseEvent', PRESS, 's');
    held.note('Input.dispatchMouseEvent', { type: 'mouseMoved', button: 'left', x: 30, y: 40 }, 's');
    held.note('Input.dispatchMouseEvent', { type: 'mouseMoved', button: 'none', x: 50, y: 60 }, 's');
    held.note('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 70, y: 80 }, 'other');
    held.note('Input.dispatchMouseEvent', { type: 'mouseMoved' }, 's');
    held.releaseAll((_method, params) => posted.push(params));
    assert.deepEqual(posted, [{ ...RELEASE, clickCount: 1, modifiers: undefined, x: 50, y: 60 }]);
  });

  it('contains no button or key that the browser does not know', () => {
    const held = new HeldInput();
    const long = 'x'.repeat(10_000);
    for (const button of ['other', long, undefined, 'none'])
      held.note('Input.dispatchMouseEvent', { ...PRESS, button }, 's');
    for (const params of [{ code: long }, { code: 'KeyA', key: long }, { code: { long } }])
      held.note('Input.dispatchKeyEvent', { ...params, type: 'keyDown' }, 's');
    held.note('Input.dispatchMouseEvent', { ...PRESS, modifiers: long }, 's');
    assert.equal(held.any, false);
    for (const button of ['left', 'middle', 'right', 'back', 'forward'])
      held.note('Input.dispatchMouseEvent', { ...PRESS, button }, 's');
    const posted: unknown[] = [];
    held.releaseAll((_method, params) => posted.push(params));
    assert.equal(posted.length, 5);
  });

  it('is remembered for a limited number of keys, oldest first', () => {
    const held = new HeldInput();
    const [key, type] = ['Input.dispatchKeyEvent', 'keyDown'];
    for (const round of ['a', 'b']) {
      for (let index = 0; index < 200; index++) held.note(key, { type, code: `${round}${index}` }, 's');
      held.releaseAll(() => undefined);
    }
    assert.equal(held.wasReleased(key, { type: 'keyUp', code: 'a0' }, 's'), false);
    assert.equal(held.wasReleased(key, { type: 'keyUp', code: 'b0' }, 's'), true);
  });

  it('counts again after another press', () => {
    const held = new HeldInput();
    held.note('Input.dispatchMouseEvent', PRESS, 's');
    held.releaseAll(() => undefined);
    held.note('Input.dispatchMouseEvent', PRESS, 's');
    assert.equal(held.wasReleased('Input.dispatchMouseEvent', RELEASE, 's'), false);
  });
});

describe('the request of a program for a person', () => {
  it('is answered in the session in which it was sent, and so is its end', () => {
    const sent: unknown[] = [];
    const asked: object[] = [];
    const agent = {
      onHandoffDone: (() => undefined) as (result: HandoffResult) => void,
      requestHuman: (request: object) => {
        asked.push(request);
        return {
          ...{ id: 'h1', name: '', agent: 'a', instructions: '', requestedAt: '', expiresAt: '' },
          ...{ outcome: null, note: '', answeredBy: null },
        };
      },
    };
    const requests = new PersonRequests(agent, (text) => sent.push(JSON.parse(text)));
    const command = { id: 7, method: 'CloudBrowser.requestHuman', sessionId: 'page-1' };
    requests.take({ ...command, params: { instructions: ' Log in. ', timeout: 30 } });
    agent.onHandoffDone({ id: 'h1', outcome: 'done', note: 'OK' });
    assert.deepEqual(asked, [{ instructions: 'Log in.', timeout: 30 }]);
    assert.deepEqual(sent, [
      { id: 7, result: { id: 'h1' }, sessionId: 'page-1' },
      {
        method: 'CloudBrowser.humanDone',
        params: { id: 'h1', outcome: 'done', note: 'OK' },
        sessionId: 'page-1',
      },
    ]);
    for (const params of [{}, { instructions: '' }, { instructions: 'x', timeout: 0 }])
      assert.throws(() => requests.take({ ...command, params }), { kind: 'invalidParams' });
    assert.throws(() => requests.take({ ...command, params: {} }), {
      message: /instructions must be a text of 1 to 2000 characters/,
    });
  });
});

describe('the pointer of a program', () => {
  it('is shown on the page that users see, at its position on the screen', async () => {
    const shown: number[][] = [];
    let reads = 0;
    const page = {} as never;
    const pages = {
      front: () => Promise.resolve(page),
      mainFrame: () => 'front',
      geometry: () => {
        reads += 1;
        return Promise.resolve({ left: 10, top: 100, scale: 2 });
      },
    };
    const clock = new ManualClock();
    const pointer = new ShownPointer(pages, clock, (x, y) => shown.push([x, y]));
    pointer.moved('front', 1, 1);
    pointer.moved('front', 3, 4);
    await turn();
    pointer.moved('back', 5, 5);
    pointer.moved('front', 'x', 5);
    pointer.moved('front', 6, 7);
    assert.deepEqual(shown, [
      [16, 108],
      [22, 114],
    ]);
    clock.advance(1_000);
    pointer.moved('front', 8, 8);
    await turn();
    assert.deepEqual([reads, shown.length], [2, 3]);
  });

  it('is not shown while the page does not answer', async () => {
    const pages = {
      front: () => Promise.reject(new Error('gone')),
      mainFrame: () => undefined,
      geometry: () => Promise.reject(new Error('gone')),
    };
    const pointer = new ShownPointer(pages, new ManualClock(), () => assert.fail());
    pointer.moved('front', 1, 1);
    await turn();
    pointer.moved('front', 1, 1);
    await turn();
  });
});
