import { copy } from '../copy.js';
import { find, onAction } from '../dom.js';

const PLACEHOLDER = 'https://…?token=…';

type Snippet = 'page' | 'server' | 'iframe';

/**
 * Shows the code that embeds a session in a customer's page. During a session it contains the session's
 * address.
 */
export class EmbedCode {
  #embedUrl = PLACEHOLDER;
  #kind: Snippet = 'page';

  constructor() {
    for (const radio of document.querySelectorAll<HTMLInputElement>('[name=snippet]')) {
      radio.addEventListener('change', () => {
        this.#kind = radio.value as Snippet;
        this.#show();
      });
    }
    onAction('copy-code', () => void copy(this.#text(this.#embedUrl), 'Code'));
    this.#show();
  }

  show(embedUrl?: string): void {
    this.#embedUrl = embedUrl ?? PLACEHOLDER;
    this.#show();
  }

  #show(): void {
    find('.snippet code').textContent = this.#text(shortened(this.#embedUrl));
  }

  #text(embedUrl: string): string {
    switch (this.#kind) {
      case 'page':
        return pageCode(embedUrl);
      case 'server':
        return serverCode(location.origin);
      case 'iframe':
        return iframeCode(embedUrl);
    }
  }
}

/**
 * Returns the embed URL without its token for display, because others may see the screen. The copied code
 * contains the token.
 */
function shortened(embedUrl: string): string {
  return embedUrl.replace(/^(https?:\/\/)[^?]*(\/[\w-]{6})[^?]*\?token=.+$/, '$1…$2…?token=…');
}

function pageCode(embedUrl: string): string {
  return `<!doctype html>
<title>My page</title>
<script
  type="module"
  src="${location.origin}/element.js"
></script>

<h1>A browser in my page</h1>
<cloud-browser
  embed-url="${embedUrl}"
></cloud-browser>`;
}

function serverCode(origin: string): string {
  return `const url = '${origin}/v0/vm';
const answer = await fetch(url, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${apiKey}\`,
  },
  body: JSON.stringify({
    start_url: 'https://example.com',
    width: 1280, height: 720, fps: 60
  }),
});

const { embed_url } = await answer.json();`;
}

function iframeCode(embedUrl: string): string {
  return `<iframe
  src="${embedUrl}"
  title="Remote browser"
  width="1280" height="720"
  allow="clipboard-read; clipboard-write; fullscreen"
></iframe>`;
}
