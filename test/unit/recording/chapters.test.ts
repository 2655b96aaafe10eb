import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { chaptersOf } from '../../../server/src/sessions/recordings/chapters.js';

describe('the chapters of a recording', () => {
  it('are its markers and navigations, without any markup', async () => {
    const events = [
      { t: 0, type: 'navigation', url: 'https://example.com/' },
      { t: 1, type: 'click' },
      { t: 61.5, type: 'marker', name: 'Pay --> <b>\nnow' },
    ];
    async function* lines() {
      for (const event of events) yield `${JSON.stringify(event)}\n`;
      yield 'null\n';
      yield '{"t":';
    }
    const text = await chaptersOf(Readable.from(lines()), 100);
    assert.equal(
      text,
      [
        'WEBVTT\n',
        '00:00:00.000 --> 00:01:01.500\nhttps://example.com/\n',
        '00:01:01.500 --> 00:01:40.000\nPay --&gt; &lt;b&gt; now\n',
      ].join('\n'),
    );
  });

  it('have titles of at most 200 characters, which end neither in an escape nor in half a character', async () => {
    const names = ['a'.repeat(198) + '&&&', 'a'.repeat(199) + '\u{1f600}\u{1f600}'];
    const events = names.map((name, t) => JSON.stringify({ t, type: 'marker', name }));
    const text = await chaptersOf(Readable.from([events.join('\n')]), 2);
    const titles = text.split('\n').filter((line) => line.startsWith('a'));
    assert.deepEqual(titles, ['a'.repeat(198) + '&amp;&amp;', 'a'.repeat(199) + '\u{1f600}']);
  });

  it('end at the largest number, and nothing is read after it', async () => {
    async function* lines() {
      for (let t = 0; t < 2_000; t++) yield `${JSON.stringify({ t, type: 'marker', name: 'Here' })}\n`;
      throw new Error('The store does not answer.');
    }
    const events = Readable.from(lines());
    const text = await chaptersOf(events, 2_000);
    assert.equal(text.match(/Here/g)?.length, 1_000);
    if (!events.closed) await once(events, 'close');
    assert.equal(events.errored, null);
  });
});
