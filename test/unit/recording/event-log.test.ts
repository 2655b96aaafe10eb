import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Modifier } from '../../../src/protocol/index.js';
import { CallEvents } from '../../../server/src/host/features/recording/events/call-events.js';
import { FIELDS_TIMEOUT_MS } from '../../../server/src/host/features/recording/events/event-queue.js';
import { TypedText } from '../../../server/src/host/features/recording/events/typed-text.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { EventLog } from '../../../server/src/host/features/recording/events/event-log.js';

function setUp() {
  const lines: string[] = [];
  const output = { time: 0, event: (json: string) => void lines.push(json) };
  const clock = new ManualClock();
  const log = new EventLog(output, clock);
  const calls = new CallEvents(
    log,
    () => undefined,
    () => Promise.resolve([]),
  );
  const events = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    ...{ lines, output, clock, log, calls, events },
    types: () => events().map(({ type }) => type),
    /** Returns the type and one field of each event. */
    typesAnd: (field: string) => events().map((event) => [event['type'], event[field]]),
    press: (text: string) => {
      for (const letter of text) log.input('user', { ...key, key: letter });
    },
    changeTitle: (times: number) => {
      for (let count = 1; count <= times; count++) log.onTitle('tab', `Title ${count}`);
    },
  };
}

const input = { seq: 1, modifiers: 0 };
const key = { ...input, type: 'key', pressed: true, repeat: false, code: 'KeyS', key: 's' } as const;

const click = { ...input, type: 'button', pressed: true, button: 0, x: 3, y: 4 } as const;
/** The elements of a page whose places are unknown. */
const elements = (elementAt: (at: unknown, page?: string) => Promise<{ role: string; name?: string }>) => ({
  elementAt,
  placeOf: () => Promise.resolve(undefined),
  prepare: () => undefined,
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A promise that the test resolves. */
function pending<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const parts: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => (parts.resolve = resolve));
  return { promise, resolve: (value) => parts.resolve?.(value) };
}

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
    const { output, log, typesAnd } = setUp();
    log.input('user', key);
    output.time = 100;
    log.input('user', click);
    assert.deepEqual(typesAnd('t'), [
      ['typing', 0],
      ['click', 0.1],
    ]);
  });

  it('contain addresses without their query and fragment', () => {
    const { log, events } = setUp();
    log.onAddress('tab', 'https://user:secret@example.com/path?q=secret#secret');
    log.onAddress('tab', 'data:text/html,secret');
    log.onAddress('tab', 'about:blank');
    const urls = events().map(({ url }) => url);
    assert.deepEqual(urls, ['https://example.com/path', 'data:', 'about:blank']);
  });

  it('contain few titles of a page that changes its title in a loop, and the last one', () => {
    const { clock, events, changeTitle } = setUp();
    changeTitle(1_000);
    assert.ok(events().length <= 5, `${events().length} titles`);
    clock.advance(1_000);
    assert.equal(events().at(-1)?.['title'], 'Title 1000');
  });

  it('search typed text only in the titles that are written', (context) => {
    const { clock, changeTitle } = setUp();
    const search = context.mock.method(TypedText.prototype, 'isIn');
    changeTitle(1_000);
    clock.advance(1_000);
    assert.ok(search.mock.callCount() <= 6, `${search.mock.callCount()} searches`);
  });

  it('contain a waiting title before the next page, and none of privacy mode', () => {
    const { clock, log, types, changeTitle } = setUp();
    changeTitle(10);
    log.onAddress('tab', 'https://example.com/');
    assert.deepEqual(types().slice(-2), ['title', 'navigation']);
    log.setPrivate('user');
    const before = types().length;
    changeTitle(10);
    log.setPrivate(undefined);
    clock.advance(10_000);
    assert.deepEqual(types().slice(before), ['privacy_ended']);
  });

  it('contain few titles of a page that changes its title in a loop while users come and go', () => {
    const { log, types, changeTitle } = setUp();
    const change = () => {
      changeTitle(10);
      return types().filter((type) => type === 'title').length;
    };
    const before = change();
    log.about({ type: 'user_joined', user: 'ada' });
    log.setPrivate('ada');
    log.setPrivate(undefined);
    assert.equal(change(), before + 1);
    log.about({ type: 'browser_ended' });
    assert.equal(change(), before + 2 + 5, 'a tab of a new browser has its own rate');
  });

  it('contain the last title of a tab that is closed at once', () => {
    const { log, typesAnd, changeTitle } = setUp();
    changeTitle(10);
    log.onClosed('tab');
    assert.deepEqual(typesAnd('title').slice(-2), [
      ['title', 'Title 10'],
      ['tab_closed', undefined],
    ]);
  });

  it('contain no title that is only the address', () => {
    const { log, typesAnd } = setUp();
    log.onAddress('tab', 'https://example.com/path?q=secret');
    log.onTitle('tab', 'example.com/path?q=secret');
    log.onTitle('tab', 'Results');
    assert.deepEqual(typesAnd('title'), [
      ['navigation', undefined],
      ['title', 'Results'],
    ]);
  });

  it('contain no title that is the address with decoded characters', () => {
    const addresses = {
      'https://example.com/a%20b?q=my%20secret%20caf%C3%A9%20': 'https://example.com/a b?q=my secret café ',
      'http://user:name@example.com:8080/?q=%22secret%22': 'example.com:8080/?q="secret"',
      'https://xn--mnchen-3ya.de/?q=secret': 'münchen.de/?q=secret',
      'https://example.com/?q=%D7%A1%D7%95%D7%93': '\u202ahttps://example.com/?q=סוד\u202c',
      [`https://example.com/?q=${'%C3%A9'.repeat(1_000)}`.slice(0, 2_048)]:
        `example.com/?q=${'é'.repeat(1_000)}`,
      'data:text/html,secret': 'data:text/html,secret',
    };
    for (const [url, title] of Object.entries(addresses)) {
      const { log, types } = setUp();
      log.onAddress('tab', url);
      log.onTitle('tab', title);
      assert.deepEqual(types(), ['navigation'], url);
    }
  });

  it('contain a title that is only a part of the address', () => {
    const { log, events } = setUp();
    log.onAddress('tab', 'https://example.com/docs');
    const titles = ['example', 'docs', 'm', '100% of docs'];
    for (const title of titles) log.onTitle('tab', title);
    const written = events().flatMap(({ title }) => title ?? []);
    assert.deepEqual(written, titles);
  });

  it('leave out everything in privacy mode, except that it begins and ends', () => {
    const { log, calls, types } = setUp();
    log.setPrivate('user');
    log.setPrivate('user');
    log.input('user', click);
    log.onAddress('tab', 'https://example.com/');
    log.dialog('alert');
    calls.published('files.onDownload', [{ id: '1', name: 'file', state: 'done', size: 1 }]);
    log.about({ type: 'user_left', user: 'other' });
    log.setPrivate(undefined);
    assert.deepEqual(types(), ['privacy_started', 'user_left', 'privacy_ended']);
  });

  it('contain downloads once they are complete', () => {
    const { calls, events } = setUp();
    const download = { id: '1', name: 'file.txt', size: 12 };
    calls.published('files.onDownload', [{ ...download, state: 'running' }]);
    calls.published('files.onDownload', [{ ...download, state: 'done' }]);
    assert.deepEqual(events(), [
      { t: 0, type: 'download', id: '1', file: 'file.txt', state: 'done', size: 12 },
    ]);
  });

  it('name the clicked element, and keep their order while the browser answers', async () => {
    const { log, events } = setUp();
    const answer = pending<{ role: string; name: string }>();
    log.elements = elements(() => answer.promise);
    log.input('user', click);
    log.onAddress('tab', 'https://example.com/');
    assert.deepEqual(events(), []);
    answer.resolve({ role: 'button', name: 'Save' });
    await settled();
    assert.deepEqual(events(), [
      { t: 0, type: 'click', user: 'user', x: 3, y: 4, button: 0, role: 'button', name: 'Save' },
      { t: 0, type: 'navigation', tab: 'tab', url: 'https://example.com/' },
    ]);
  });

  it('are written without a name if the browser does not answer', async () => {
    const { log, clock, events } = setUp();
    const answer = pending<{ role: string; name: string }>();
    log.elements = elements(() => answer.promise);
    log.input('user', click);
    clock.advance(FIELDS_TIMEOUT_MS);
    assert.deepEqual(events(), [{ t: 0, type: 'click', user: 'user', x: 3, y: 4, button: 0 }]);
    answer.resolve({ role: 'button', name: 'Late' });
    await settled();
    assert.equal(events().length, 1);
  });

  it('contain no name that arrives after privacy mode has begun', async () => {
    const { log, lines } = setUp();
    const answer = pending<{ role: string; name: string }>();
    log.elements = elements(() => answer.promise);
    log.input('user', click);
    log.setPrivate('other');
    answer.resolve({ role: 'button', name: 'Private' });
    await settled();
    assert.doesNotMatch(lines.join(), /Private/);
  });

  it('contain no name and no title that contains typed text', async () => {
    const { log, lines, press, typesAnd } = setUp();
    press('Paris');
    log.elements = elements(() => Promise.resolve({ role: 'option', name: 'paris, France' }));
    log.input('user', click);
    log.onTitle('tab', 'Paris – Search');
    await settled();
    assert.doesNotMatch(lines.join(), /paris/i);
    assert.deepEqual(typesAnd('role'), [
      ['typing', undefined],
      ['click', 'option'],
    ]);
  });

  it('contain no title with text that was pasted, set, or entered into a dialog', () => {
    const { log, lines } = setUp();
    log.entered('a journey to Constantinople');
    log.entered(`${'and so on '.repeat(100)}\nDear Mrs Miller, we continue tomorrow`);
    log.dialog(undefined, true, 'Lisbon');
    const hidden = ['Constantinople', 'Dear Mrs Miller, we continue tomorrow – Mail', 'Lisbon'];
    for (const title of [...hidden, 'Berlin', 'Continue']) log.onTitle('tab', title);
    assert.match(lines.join(), /Berlin/);
    assert.match(lines.join(), /Continue/, 'a word of a long text is too common');
    assert.doesNotMatch(lines.join(), /Constantinople|Miller|Lisbon/);
  });

  it('contain no title with typed text after many pastes', () => {
    const { log, lines, press } = setUp();
    press('Paris');
    log.input('user', { ...key, code: 'Enter', key: 'Enter' });
    for (let paste = 0; paste < 200; paste++) log.entered(`text ${paste} that was pasted`);
    log.onTitle('tab', 'Paris – Search');
    assert.doesNotMatch(lines.join(), /Paris/);
  });

  it('contain no title with text that was typed after corrections', () => {
    const erase = { ...key, code: 'Backspace', key: 'Backspace' };
    const eraseWord = { ...erase, modifiers: Modifier.control };
    const emoji = { ...input, type: 'text', text: '\u{1f600}' } as const;
    const letters = (text: string) => [...text].map((letter) => ({ ...key, key: letter }));
    const corrections = {
      'an emoji': [emoji, erase],
      'a word': [...letters('Hello wor'), eraseWord],
      'a word and a blank': [...letters('Hello world '), eraseWord],
      'all words': [...letters('Hello'), eraseWord, eraseWord, ...letters('Hello ')],
    };
    for (const [what, typed] of Object.entries(corrections)) {
      const { log, events } = setUp();
      for (const event of [...typed, ...letters('Paris')]) log.input('user', event);
      log.onTitle('tab', what === 'an emoji' ? 'Paris – Search' : 'Hello Paris – Search');
      assert.notEqual(events().at(-1)?.['type'], 'title', what);
    }
  });

  it('contain no title with text that was typed in privacy mode, also after its end', () => {
    const { log, press, typesAnd } = setUp();
    log.setPrivate('user');
    press('Paris');
    log.setPrivate(undefined);
    log.onTitle('tab', 'Paris – Search');
    log.onTitle('tab', 'News');
    assert.deepEqual(typesAnd('title'), [
      ['privacy_started', undefined],
      ['privacy_ended', undefined],
      ['title', 'News'],
    ]);
  });

  it('name shortcuts and keys without text, and never characters', () => {
    const { log, typesAnd } = setUp();
    const control = Modifier.control;
    log.input('user', { ...key, key: 'c', modifiers: control });
    log.input('user', { ...key, key: 'T', modifiers: control | Modifier.shift });
    log.input('user', { ...key, key: 'Enter' });
    log.input('user', { ...key, key: 'ArrowLeft', modifiers: Modifier.alt });
    // AltGr on Windows, Option on a Mac, a modifier alone, and a name that no browser has.
    log.input('user', { ...key, key: '@', modifiers: control | Modifier.alt });
    log.input('user', { ...key, key: 'ø', modifiers: Modifier.alt });
    log.input('user', { ...key, key: 'Control', modifiers: control });
    log.input('user', { ...key, key: 'my secret', modifiers: control });
    log.end();
    assert.deepEqual(typesAnd('keys'), [
      ['shortcut', 'Control+C'],
      ['shortcut', 'Control+Shift+T'],
      ['key', 'Enter'],
      ['shortcut', 'Alt+ArrowLeft'],
      ['typing', 3],
    ]);
  });

  it('count clicks at one place, and contain the end of a drag', () => {
    const { log, output, events } = setUp();
    log.input('user', click);
    log.input('user', { ...click, pressed: false });
    output.time = 200;
    log.input('user', click);
    log.input('user', { ...click, pressed: false, x: 50 });
    assert.deepEqual(
      events().map(({ type, count, to_x: to }) => [type, count, to]),
      [
        ['click', undefined, undefined],
        ['click', 2, undefined],
        ['drag', undefined, 50],
      ],
    );
  });

  it('contain swipes and pinches', () => {
    const { log, events } = setUp();
    const finger = (phase: 'start' | 'move' | 'end', ...places: number[]) =>
      log.input('user', { ...input, type: 'touch', phase, points: places.map((x, id) => ({ id, x, y: 0 })) });
    finger('start', 100);
    finger('move', 200);
    finger('end');
    finger('start', 100);
    finger('start', 100, 200);
    finger('move', 100, 150);
    finger('end');
    assert.deepEqual(
      events().map(({ t: _, user: __, ...event }) => event),
      [
        { type: 'touch', x: 100, y: 0 },
        { type: 'swipe', x: 100, y: 0, to_x: 200, to_y: 0 },
        { type: 'touch', x: 100, y: 0 },
        { type: 'pinch', x: 150, y: 0, scale: 0.5 },
      ],
    );
  });

  it('show the place on the screen of what a program does in a page', async () => {
    const { log, events } = setUp();
    log.elements = {
      ...elements((_, page) => Promise.resolve({ role: page === 'shown' ? 'link' : 'button' })),
      placeOf: (page) => Promise.resolve(page === 'shown' ? { left: 0, top: 100, scale: 2 } : undefined),
    };
    log.input('agent', click, 'shown');
    log.input('agent', { ...click, x: 99 }, 'hidden');
    await settled();
    assert.deepEqual(events(), [
      { t: 0, type: 'click', user: 'agent', button: 0, x: 6, y: 108, role: 'link' },
      { t: 0, type: 'click', user: 'agent', button: 0, role: 'button' },
    ]);
  });
});
