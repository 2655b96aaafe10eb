import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallEvents } from '../../../server/src/host/features/recording/events/call-events.js';

describe('the events of calls in a recording', () => {
  it('name the user who answered a dialog, but not the text of the answer', () => {
    const events: object[] = [];
    const log = { about: () => undefined, publicly: (event: object) => void events.push(event) };
    const calls = new CallEvents(
      log,
      () => undefined,
      () => Promise.resolve([]),
    );
    for (const method of ['dialogs.answer', 'answerDialog'] as const)
      calls.performed(method, [7, { accept: true, text: 'Lisbon' }], 'ada');
    calls.performed('answerDialog', [8, { accept: false }], 'ben');
    assert.deepEqual(events, [
      { type: 'dialog_answered', user: 'ada', accepted: true },
      { type: 'dialog_answered', user: 'ada', accepted: true },
      { type: 'dialog_answered', user: 'ben', accepted: false },
    ]);
  });
});
