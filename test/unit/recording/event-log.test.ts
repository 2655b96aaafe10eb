import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventLog } from '../../../server/src/host/features/recording/event-log.js';

function setUp() {
  const lines: string[] = [];
  const output = { time: 0, event: (json: string) => void lines.push(json) };
  return {
    lines,
    output,
    log: new EventLog(output),
    events: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

const input = { seq: 1, modifiers: 0 };
const key = { ...input, type: 'key', pressed: true, repeat: false, code: 'KeyS', key: 's' } as const;

describe('the events of a recording', () => {
  it('count what users type, and never contain it', () => {
    const { lines, output, log, events } = setUp();
    for (const letter of 'secret') log.input('user', { ...key, key: letter, code: `Key${letter}` });
    log.input('user', { ...input, type: 'text', text: 'geheim' });
    output.time = 5_000;
    log.tick();
    assert.deepEqual(events(), [{ t: 0, type: 'typing', user: 'user', keys: 6, characters: 6 }]);
    assert.doesNotMatch(lines.join(), /Keys|geheim|secret/);
  });

  it('keep the order of typing and clicks', () => {
    const { output, log, events } = setUp();
    log.input('user', key);
    output.time = 100;
    log.input('user', { ...input, type: 'button', pressed: true, button: 0, x: 3, y: 4 });
    assert.deepEqual(
      events().map(({ t, type }) => [t, type]),
      [
        [0, 'typing'],
        [0.1, 'click'],
      ],
    );
  });

  it('contain addresses without their query and fragment', () => {
    const { log, events } = setUp();
    log.onAddress('tab', 'https://user:secret@example.com/path?q=secret#secret');
    log.onAddress('tab', 'data:text/html,secret');
    log.onAddress('tab', 'about:blank');
    assert.deepEqual(
      events().map(({ url }) => url),
      ['https://example.com/path', 'data:', 'about:blank'],
    );
  });

  it('contain no title that is only the address', () => {
    const { log, events } = setUp();
    log.onAddress('tab', 'https://example.com/path?q=secret');
    log.onTitle('tab', 'example.com/path?q=secret');
    log.onTitle('tab', 'Results');
    assert.deepEqual(
      events().map(({ type, title }) => [type, title]),
      [
        ['navigation', undefined],
        ['title', 'Results'],
      ],
    );
  });

  it('leave out everything in privacy mode, except that it begins and ends', () => {
    const { log, events } = setUp();
    log.setPrivate('user');
    log.setPrivate('user');
    log.input('user', { ...input, type: 'button', pressed: true, button: 0, x: 3, y: 4 });
    log.onAddress('tab', 'https://example.com/');
    log.dialog('alert');
    log.published('files.onDownload', [{ id: '1', name: 'file', state: 'done', size: 1 }]);
    log.about({ type: 'user_left', user: 'other' });
    log.setPrivate(undefined);
    assert.deepEqual(
      events().map(({ type }) => type),
      ['privacy_started', 'user_left', 'privacy_ended'],
    );
  });

  it('contain downloads once they are complete', () => {
    const { log, events } = setUp();
    const download = { id: '1', name: 'file.txt', size: 12 };
    log.published('files.onDownload', [{ ...download, state: 'running' }]);
    log.published('files.onDownload', [{ ...download, state: 'done' }]);
    assert.deepEqual(events(), [
      { t: 0, type: 'download', id: '1', file: 'file.txt', state: 'done', size: 12 },
    ]);
  });
});
