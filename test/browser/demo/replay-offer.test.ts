import { ReplayOffer } from '../../../demo/view/replay-offer.js';
import type { Recording } from '../../../src/api/index.js';
import { equal } from '../support/assert.js';

const RECORDING: Partial<Recording> = { id: 'recording', session_id: 'session', state: 'ready' };

describe('the recording of the last session of the demo', () => {
  const fetch = window.fetch.bind(window);
  const place = document.createElement('div');
  let offer: ReplayOffer;
  let shown: string[];
  let deleted: number;
  let answerDeletion: () => void;

  beforeEach(async () => {
    localStorage.setItem('cloud-browser-demo.key', 'key');
    place.innerHTML = `<div class="toast"></div>
      <button data-action="replay" hidden></button>
      <div class="replay-place"></div>
      <button data-action="delete-replay"></button>
      <form class="session-form"><button type="submit"></button></form>`;
    document.body.append(place);
    shown = [];
    deleted = 0;
    window.fetch = (input, init) => {
      const { pathname } = new URL(new Request(input).url);
      if (init?.method === 'POST') return Promise.resolve(Response.json({ url: 'https://host.example/r' }));
      if (init?.method === 'DELETE') {
        deleted++;
        return new Promise((resolve) => (answerDeletion = () => resolve(Response.json({}))));
      }
      const isList = pathname === '/v0/recordings';
      return Promise.resolve(Response.json(isList ? { results: [RECORDING], next: null } : {}));
    };
    offer = new ReplayOffer(
      () => shown.push('replay'),
      () => shown.push('start'),
    );
    await replayed();
  });

  afterEach(() => {
    offer.end();
    window.fetch = fetch;
    place.remove();
    localStorage.clear();
  });

  const frame = () => new Promise(requestAnimationFrame);
  const until = async (done: () => boolean) => {
    while (!done()) await frame();
  };
  const button = (action: string) => {
    const found = place.querySelector<HTMLButtonElement>(`[data-action=${action}]`);
    if (!found) throw new Error(`There is no button ${action}.`);
    return found;
  };
  const replayed = async () => {
    const count = shown.length;
    offer.offer('session');
    await until(() => !button('replay').hidden && !button('replay').disabled);
    button('replay').click();
    await until(() => shown.length > count && !button('replay').disabled);
  };
  const deletion = async () => {
    button('delete-replay').click();
    await until(() => deleted === 1);
    return async () => {
      answerDeletion();
      await until(() => !button('delete-replay').disabled);
    };
  };

  it('gives way to the start of the demo when it is deleted', async () => {
    const answer = await deletion();
    equal(shown, ['replay']);
    await answer();
    equal(shown, ['replay', 'start']);
    equal(place.querySelector('.replay-place')?.childElementCount, 0);
    equal(document.activeElement === place.querySelector('[type=submit]'), true);
  });

  it('leaves a session alone that starts during its deletion', async () => {
    const answer = await deletion();
    offer.end();
    await answer();
    equal(shown, ['replay']);
    equal(document.activeElement === place.querySelector('[type=submit]'), false);
  });

  it('leaves the next recording alone that is shown during its deletion', async () => {
    const answer = await deletion();
    offer.end();
    await replayed();
    await answer();
    equal(shown, ['replay', 'replay']);
    equal(place.querySelector('.replay-place')?.childElementCount, 1);
  });
});
