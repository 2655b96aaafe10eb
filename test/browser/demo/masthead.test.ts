import { equal } from '../support/assert.js';

describe('the head of a page of the demo', () => {
  const frame = document.createElement('iframe');
  frame.style.border = '0';

  beforeEach(() => document.body.append(frame));
  afterEach(() => frame.remove());

  /** Shows the head of a page without its scripts. Returns the page's root. */
  const open = async (name: string, width: number): Promise<HTMLElement | undefined> => {
    const text = await (await fetch(`/demo/${name}.html`)).text();
    const { body } = new DOMParser().parseFromString(text, 'text/html');
    body.replaceChildren(body.querySelector('.masthead') ?? '');
    frame.width = String(width);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.srcdoc = `<!doctype html><base href="${location.origin}/demo/" />
      <link rel="stylesheet" href="./styles/${name}.css" />${body.outerHTML}`;
    await loaded;
    return frame.contentDocument?.documentElement;
  };

  for (const name of ['index', 'admin', 'operator'])
    for (const width of [320, 360, 375])
      it(`fits a screen of ${width} pixels: ${name}.html`, async () => {
        const root = await open(name, width);
        equal(root?.querySelectorAll('.masthead-links a').length, name === 'operator' ? 2 : 3);
        equal(root?.scrollWidth, width);
      });
});
