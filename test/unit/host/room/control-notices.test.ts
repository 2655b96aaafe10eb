import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ControlNotices } from '../../../../server/src/host/room/users/control-notices.js';

describe('notices of control', () => {
  const controls = new Map<string, boolean>();
  let told: string[];
  let notices: ControlNotices;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    controls.clear();
    told = [];
    notices = new ControlNotices(
      (id) => controls.get(id) ?? false,
      (id, has) => told.push(`${id} ${has ? 'given' : 'taken'}`),
    );
  });
  afterEach(() => mock.timers.reset());

  function change(id: string, has: boolean): void {
    controls.set(id, has);
    notices.changed(id, !has);
  }

  it('name the users who have lost or gained control, once the change lasts', () => {
    change('one', false);
    change('two', true);
    assert.deepEqual(told, []);
    mock.timers.tick(1_000);
    assert.deepEqual(told, ['one taken', 'two given']);
  });

  it('are not sent for a change that is reverted at once, and never twice', () => {
    for (let turn = 0; turn < 20; turn++) change('one', turn % 2 === 1);
    mock.timers.tick(1_000);
    assert.deepEqual(told, []);
    for (let turn = 0; turn < 21; turn++) change('one', turn % 2 === 1);
    mock.timers.tick(1_000);
    mock.timers.tick(1_000);
    assert.deepEqual(told, ['one taken']);
  });

  it('are not sent after their user has left or the room is closed', () => {
    change('one', false);
    notices.forget('one');
    change('two', false);
    notices.close();
    mock.timers.tick(1_000);
    assert.deepEqual(told, []);
  });
});
