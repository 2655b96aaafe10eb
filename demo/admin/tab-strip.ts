import { html, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { CloudBrowserClient, Tab } from '../../src/index.js';
import { find, findA } from '../dom.js';
import { startUrl } from '../session/start-url.js';
import { toast } from '../toast.js';
import { attempt } from '../session/attempt.js';

/** Shows all tabs of the session, always up to date. Switches, opens and closes them. */
export class TabStrip {
  readonly #client: CloudBrowserClient;
  readonly #list = find('.tab-list');
  readonly #input = findA(HTMLInputElement, '#tab-url');
  #tabs: Tab[] = [];
  /** The tab that users see. Each window has an active tab, and a popup is a window. */
  #front: number | undefined;
  #asking: 'no' | 'yes' | 'again' = 'no';

  constructor(client: CloudBrowserClient) {
    this.#client = client;
    findA(HTMLFormElement, '.tab-form').onsubmit = (event) => {
      event.preventDefault();
      this.#open();
    };
    this.#show();
  }

  /** Starts listening. The subscriptions last as long as the client. */
  async follow(): Promise<void> {
    const { tabs } = this.#client;
    const changed = (): void => this.refresh();
    await Promise.all([
      tabs.onCreated.addListener(changed),
      tabs.onRemoved.addListener(changed),
      tabs.onMoved.addListener(changed),
      tabs.onActivated.addListener(changed),
      tabs.onUpdated.addListener(changed),
      tabs.onReplaced.addListener(changed),
      tabs.onReconnected.addListener(changed),
    ]);
  }

  /** Requests all tabs. A change before the answer causes another request. */
  refresh(): void {
    if (this.#asking !== 'no') {
      this.#asking = 'again';
      return;
    }
    this.#asking = 'yes';
    const { tabs } = this.#client;
    attempt(
      Promise.all([tabs.query({ icons: true }), tabs.query({ active: true, lastFocusedWindow: true })])
        .then(([tabs, [front]]) => {
          this.#front = front?.id;
          this.#tabs = tabs.sort((a, b) => a.windowId - b.windowId || a.index - b.index);
          this.#show();
        })
        .finally(() => {
          const again = this.#asking === 'again';
          this.#asking = 'no';
          if (again) this.refresh();
        }),
    );
  }

  #open(): void {
    const url = startUrl(this.#input.value.trim());
    if (url === null) {
      toast('Enter a web address, for example https://example.com.');
      return;
    }
    this.#input.value = '';
    attempt(this.#client.tabs.create({ url: url || 'about:blank' }));
  }

  #show(): void {
    const tabs = repeat(
      this.#tabs,
      ({ id }) => id,
      (tab) => this.#tab(tab),
    );
    render(html`${tabs}`, this.#list);
    this.#list.querySelector('.tab.active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #tab({ id = 0, title, url, icon: image, status }: Tab): TemplateResult {
    const { tabs } = this.#client;
    const isFront = id === this.#front;
    const name = title || url || 'New tab';
    return html`<div class="tab ${isFront ? 'active' : ''}" data-tab=${id}>
      <button
        class="tab-switch"
        type="button"
        aria-current=${isFront ? 'true' : 'false'}
        title=${url ?? ''}
        @click=${() => attempt(tabs.update(id, { active: true }))}
      >
        ${status === 'loading' ? html`<span class="tab-spinner"></span>` : icon(image)}
        <span class="tab-title">${name}</span>
      </button>
      <button
        class="tab-close"
        type="button"
        aria-label="Close ${name}"
        title="Close"
        ?hidden=${this.#tabs.length < 2}
        @click=${() => attempt(tabs.remove(id))}
      >
        <svg><use href="#icon-close"></use></svg>
      </button>
    </div>`;
  }
}

/**
 * Renders the page's icon over a generic one, which stays visible if the icon is not available. The image
 * comes from the hosted browser. The address in `favIconUrl` is not loaded, because the page chooses it, and
 * its server would learn the network address of the local browser.
 */
function icon(image: string | undefined): TemplateResult {
  return html`<span class="tab-icon" aria-hidden="true">
    <svg><use href="#icon-page"></use></svg>
    ${image ? html`<img src=${image} alt="" @error=${hide} @load=${reveal} />` : ''}
  </span>`;
}

function hide({ target }: Event): void {
  (target as HTMLImageElement).classList.remove('loaded');
}

function reveal({ target }: Event): void {
  (target as HTMLImageElement).classList.add('loaded');
}
