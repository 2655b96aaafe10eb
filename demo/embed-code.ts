import { copy } from './copy.js';
import { find, onAction } from './dom.js';

const PLACEHOLDER = 'https://…?token=…';

type Snippet = 'page' | 'server' | 'iframe';

/** The code that puts a session into somebody's own page; with the live session's address while there is one. */
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
    onAction('copy-code', () => void copy(this.#text(), 'Code'));
    this.#show();
  }

  show(embedUrl?: string): void {
    this.#embedUrl = embedUrl ?? PLACEHOLDER;
    this.#show();
  }

  #show(): void {
    find('.snippet code').textContent = this.#text();
  }

  #text(): string {
    switch (this.#kind) {
      case 'page':
        return pageCode(this.#embedUrl);
      case 'server':
        return serverCode(location.origin);
      case 'iframe':
        return iframeCode(this.#embedUrl);
    }
  }
}

function pageCode(embedUrl: string): string {
  return `<script type="module">
  import 'cloud-browser/element';
</script>
<style>
  cloud-browser { display: block; aspect-ratio: 16 / 9; }
</style>

<cloud-browser
  embed-url="${embedUrl}"></cloud-browser>`;
}

function serverCode(origin: string): string {
  return `const answer = await fetch('${origin}/v0/vm', {
  method: 'POST',
  headers: { authorization: \`Bearer \${apiKey}\` },
  body: JSON.stringify({
    start_url: 'https://example.com',
    width: 1280, height: 720, fps: 60,
  }),
});

const { embed_url } = await answer.json();`;
}

function iframeCode(embedUrl: string): string {
  return `<iframe
  src="${embedUrl}"
  title="Remote browser"
  width="1280"
  height="720"
  allow="clipboard-read; clipboard-write; fullscreen"
></iframe>`;
}
