import { TabStrip } from '../../../demo/admin/tab-strip.js';
import { AddressLine } from '../../../demo/view/address-line.js';
import type { CloudBrowserElement } from '../../../src/element/define.js';
import type { CloudBrowserClient, Tab } from '../../../src/index.js';
import { equal } from '../support/assert.js';

/** A kiosk's page, and a popup in front of it. Each is the active tab of its window. */
const PAGE = { id: 1, index: 0, windowId: 1, active: true, title: 'Page', url: 'https://page.example/' };
const POPUP = { id: 2, index: 0, windowId: 2, active: true, title: 'Popup', url: 'https://popup.example/' };

describe('the demo, while a page has a popup', () => {
  const place = document.createElement('div');
  let open: Partial<Tab>[];
  let queries: Promise<unknown>[];
  let client: CloudBrowserClient;
  let listeners: Map<string, () => void>;

  beforeEach(() => {
    place.innerHTML = `<p class="address"></p>
      <div class="tab-list"></div><form class="tab-form"><input id="tab-url" /></form>`;
    document.body.append(place);
    open = [PAGE, POPUP];
    queries = [];
    listeners = new Map();
    const query = (asked: object) => {
      const answer = Promise.resolve('lastFocusedWindow' in asked ? open.slice(-1) : [...open]);
      queries.push(answer);
      return answer;
    };
    const tabs = new Proxy(
      {},
      {
        get: (_tabs, name: string) =>
          name === 'query'
            ? query
            : {
                addListener: (listener: () => void) => {
                  listeners.set(name, listener);
                  return Promise.resolve();
                },
              },
      },
    );
    client = { tabs } as unknown as CloudBrowserClient;
  });

  afterEach(() => place.remove());

  const frame = () => new Promise(requestAnimationFrame);
  const answered = async (count: number) => {
    while (queries.length < count) await frame();
    await Promise.all(queries);
    await frame();
  };

  it('marks only the tab that users see', async () => {
    new TabStrip(client).refresh();
    await answered(1);
    const marked = place.querySelectorAll<HTMLElement>('.tab.active');
    equal(
      [...marked].map(({ dataset }) => dataset['tab']),
      ['2'],
    );
    equal(place.querySelectorAll('[aria-current=true]').length, 1);
  });

  it('shows the address of the page again after the popup was closed', async () => {
    const browser = Object.assign(document.createElement('p'), { client });
    new AddressLine().follow(browser as unknown as CloudBrowserElement);
    browser.dispatchEvent(new Event('connect'));
    await answered(1);
    equal(place.querySelector('.address')?.textContent, 'popup.example');
    open = [PAGE];
    listeners.get('onRemoved')?.();
    await frame();
    await answered(queries.length);
    equal(place.querySelector('.address')?.textContent, 'page.example');
  });
});
