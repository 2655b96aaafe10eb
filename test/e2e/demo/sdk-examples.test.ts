import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { build, type Rolldown } from 'vite';
import { AnsweringServer } from '../support/answering-server.js';
import { atEnd } from '../support/cleanup.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** A folder inside the package, so that `cloud-browser` resolves to the built package itself. */
const FOLDER = fileURLToPath(new URL(`../../../.build/sdk-examples-${process.pid}/`, import.meta.url));
const guide = await readFile(new URL('../../../docs/sdk.md', import.meta.url), 'utf8');
/** The page whose elements the examples look up. */
const PAGE = `<!doctype html><title>Example</title><p id="warning" hidden></p><button id="stay"></button><p id="request"></p><img>
<div id="screen" style="width: 640px; height: 360px"></div><canvas></canvas><div id="tabs"></div>
<cloud-browser style="width: 640px; height: 360px"></cloud-browser>`;

/** The blocks of one language, each with the heading above it and how many of its section come before it. */
function examplesIn(language: string): { heading: string; nth: number; code: string }[] {
  return guide
    .split(/^## /m)
    .flatMap((section) =>
      [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
        ([, code = ''], nth) => ({ heading: section.split('\n')[0] ?? '', nth, code }),
      ),
    );
}

let session: Session;
let origin: string;

test.beforeAll(async ({ service }) => {
  session = await service.create({
    start_url: 'about:blank',
    kiosk: false,
    width: 640,
    height: 360,
    max_area: 800 * 600,
  });
  await mkdir(FOLDER, { recursive: true });
  atEnd(() => rm(FOLDER, { recursive: true }));
  const pages = await AnsweringServer.start((_request, response) => {
    response.setHeader('content-type', 'text/html').end(PAGE);
  });
  origin = pages.url;
});

/** An example as one script, with the constants that it expects. */
async function bundled(code: string, name: string): Promise<string> {
  const file = `${FOLDER}${name}.js`;
  const { embed_url: embedUrl, admin_token: adminToken } = session;
  const given = `const embedUrl = ${JSON.stringify(embedUrl)}, adminToken = ${JSON.stringify(adminToken)};`;
  // Pages with the element have registered it before an example looks for it.
  const shown = code.includes("querySelector('cloud-browser')")
    ? `import 'cloud-browser/element';\ndocument.querySelector('cloud-browser').embedUrl = embedUrl;\n`
    : '';
  await writeFile(file, `${given}\n${shown}${code}\nglobalThis.done = true;\n`);
  const result = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: file, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return result.output[0].code;
}

const says = (said: string[], words: RegExp) =>
  until(`the example says ${words.source}`, () => said.some((line) => words.test(line)));

type Outcome = (page: Page, said: string[]) => Promise<unknown>;

/** Checks of examples in addition to their completion: by heading, in the order of the section. */
const OUTCOMES: Record<string, Outcome[]> = {
  'Show a session': [(_page, said) => says(said, /connecting → playing/)],
  Statistics: [(_page, said) => says(said, /^h264 \d/), (_page, said) => says(said, /^(good|poor)$/)],
  'Copy and paste': [(_page, said) => says(said, /^bold <b>bold<\/b>/)],
  'Your own tab strip': [(_page, said) => says(said, /^\d+ >/)],
  'Let the screen follow the page': [
    (page) =>
      until('the screen has the size of the element', () =>
        page.evaluate(() => {
          const element = document.querySelector<CloudBrowserElement>('cloud-browser');
          if (element) element.style.width = '700px';
          return element?.stats?.width === 700;
        }),
      ),
  ],
};

test.describe('the guide to the SDK', () => {
  for (const [index, { heading, nth, code }] of examplesIn('js').entries()) {
    test(`has an example that runs: ${heading}, ${index + 1}`, async ({ browser }) => {
      const page = await browser.newPage();
      const problems: string[] = [];
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', ({ message }) => problems.push(message));
      await page.goto(origin);
      await page.addScriptTag({ type: 'module', content: await bundled(code, `${index}`) });
      await until(`the example comes to its end (${problems.join()})`, () =>
        page.evaluate(() => 'done' in globalThis),
      );
      await OUTCOMES[heading]?.[nth]?.(page, said);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }

  for (const { heading, nth, code } of examplesIn('ts')) {
    test(`has an example that runs: ${heading}, ${nth + 1}`, async ({ service }) => {
      const file = `${FOLDER}backend-${nth + 1}.ts`;
      const given = `const baseUrl = ${JSON.stringify(service.url)}, apiKey = ${JSON.stringify(service.key)};`;
      await writeFile(file, `${given}\n${code}`);
      await import(pathToFileURL(file).href);
      const { body } = await service.request('GET', '/v0/vm');
      const running = (body['results'] as { id: string }[]).map(({ id }) => id);
      assert.deepEqual(running, [session.session_id]);
    });
  }
});
