import { equal } from '../support/assert.js';

/** Pages of the service: the markup, and the folder of its style. */
const PAGES = [
  ...['index', 'mobile', 'admin', 'operator'].map((name) => ({
    file: `/demo/${name}.html`,
    folder: '/demo/',
  })),
  { file: '/src/embed/index.html', folder: '/src/embed/' },
];

const textOf = async (path: string) => (await fetch(path)).text();

/** Returns the markup of a page with its shared parts, without scripts. */
async function markupOf(file: string): Promise<string> {
  let markup = await textOf(file);
  for (const [mark, name] of markup.matchAll(/<!-- part: ([a-z-]+) -->/g))
    markup = markup.replace(mark, await textOf(`/demo/parts/${name}.html`));
  return markup.replaceAll(/<script.*?<\/script>/g, '');
}

/** Returns the visible sentence about a missing style if the files of the page are in this folder. */
async function sentence(file: string, folder: string): Promise<string> {
  const frame = document.createElement('iframe');
  frame.srcdoc = (await markupOf(file)).replace(
    '<head>',
    `<head><base href="${location.origin}${folder}" />`,
  );
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  const text = frame.contentDocument?.querySelector<HTMLElement>('.incomplete')?.innerText ?? 'none';
  const isShown = frame.contentDocument?.querySelector('.incomplete')?.checkVisibility() ?? false;
  frame.remove();
  return isShown ? text : '';
}

describe('a page of the service', () => {
  for (const { file, folder } of PAGES) {
    it(`says that the service needs a host name if its style is not found: ${file}`, async () => {
      equal(/needs its own host name/.test(await sentence(file, '/another-application/')), true);
    });

    it(`says nothing like that with its style: ${file}`, async () => {
      equal(await sentence(file, folder), '');
    });
  }
});
