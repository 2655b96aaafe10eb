import { RecordingsPanel } from '../../../demo/recordings/recordings-panel.js';
import type { Recording } from '../../../src/api/index.js';
import { equal } from '../support/assert.js';

describe('the list of recordings of the demo', () => {
  const fetch = window.fetch.bind(window);
  const place = document.createElement('div');
  let requests: { tag: string | null; after: string | null; answer: (page: object) => void }[];

  beforeEach(async () => {
    localStorage.setItem('cloud-browser-demo.key', 'key');
    place.innerHTML = await (await fetch('/demo/parts/recordings.html')).text();
    document.body.append(place);
    requests = [];
    window.fetch = (input) =>
      new Promise((resolve) => {
        const { searchParams } = new URL(new Request(input).url);
        const [tag, after] = [searchParams.get('tag'), searchParams.get('after_id')];
        requests.push({ tag, after, answer: (page) => resolve(Response.json(page)) });
      });
    new RecordingsPanel();
    click('show-recordings');
    await asked(1);
  });

  afterEach(() => {
    window.fetch = fetch;
    place.remove();
    localStorage.clear();
  });

  const frame = () => new Promise(requestAnimationFrame);
  const asked = async (count: number) => {
    while (requests.length < count) await frame();
  };
  const click = (action: string) => place.querySelector<HTMLElement>(`[data-action=${action}]`)?.click();
  const rows = () =>
    [...place.querySelectorAll<HTMLElement>('.recording-row')].map(({ dataset }) => dataset['recording']);
  const answer = async (index: number, id: string, next: string | null) => {
    requests[index]?.answer({ results: [recording(id)], next });
    await frame();
    await frame();
  };
  const search = (tag: string) => {
    const field = place.querySelector<HTMLInputElement>('[name=value]');
    if (field) field.value = tag;
    place.querySelector('form')?.requestSubmit();
  };

  it('shows each recording once if the button for more is pressed twice', async () => {
    await answer(0, 'a', 'a');
    click('more-recordings');
    click('more-recordings');
    await asked(3);
    equal(
      requests.map(({ after }) => after),
      [null, 'a', 'a'],
    );
    await answer(1, 'b', null);
    await answer(2, 'b', null);
    equal(rows(), ['a', 'b']);
  });

  it('shows the newest search, also if an earlier one is answered later', async () => {
    search('first');
    await asked(2);
    search('second');
    await asked(3);
    equal(
      requests.map(({ tag }) => tag),
      [null, 'first', 'second'],
    );
    await answer(2, 'second', null);
    await answer(1, 'first', null);
    equal(rows(), ['second']);
  });
});

function recording(id: string): Partial<Recording> {
  const none = { tag: null, tenant_id: null, users: [], seconds: 1, bytes: 1 };
  return { id, session_id: 'session', state: 'ready', start_date: '2030-01-01T00:00:00Z', ...none };
}
