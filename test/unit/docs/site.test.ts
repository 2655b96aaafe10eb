import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { errorsPage } from '../../../docs-site/errors.mjs';
import { brokenLinks } from '../../../docs-site/links.mjs';
import { pagesOf, siteText } from '../../../docs-site/pages.mjs';
import { restPages } from '../../../docs-site/rest.mjs';
import { FILE_CODES, HOST_CALL_CODES } from '../../../server/src/http/answers/answer-errors.js';
import { ERROR_CODES, ServiceError } from '../../../server/src/service-error.js';
import { CALL_ERROR_CODES } from '../../../src/protocol/index.js';
import { recordingRoot, recordingsIn } from '../../fakes/recording-parts.js';
import { createTestService } from '../../fakes/test-service.js';
import { ROOT } from './test-titles.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('a page of the site', () => {
  const pages = new Map([
    ['docs/api.md', 'api.md'],
    ['docs/start/vue.md', 'start/vue.md'],
    ['SECURITY.md', 'reporting.md'],
  ]);
  const shown = (text: string, path = 'docs/start/vue.md') => siteText(text, path, pages, ROOT);

  it('links to other pages by their addresses on the site, with their titles', () => {
    assert.equal(shown('[the errors](../api.md#errors)'), '[the errors](../api.md#errors)');
    assert.equal(shown('[api.md](../api.md)'), '[The HTTP API](../api.md)');
    assert.equal(shown('[here](../../SECURITY.md)'), '[here](../reporting.md)');
    assert.equal(shown('[Vue](docs/start/vue.md)', 'SECURITY.md'), '[Vue](start/vue.md)');
  });

  it('keeps links out of the repository and to its own headings', () => {
    const text = '[a](https://example.com) [b](#below) ![c](../images/demo-phone.png)';
    assert.equal(shown(text), text);
  });

  it('follows links whose text has a line break', () => {
    assert.equal(shown('[two\nlines](../../SECURITY.md)'), '[two\nlines](../reporting.md)');
  });

  it('links to files that are not pages', () => {
    assert.equal(shown('[examples/](../../examples)'), '`examples`');
    assert.equal(shown('[deploy/Dockerfile](../../deploy/Dockerfile)'), '`deploy/Dockerfile`');
    assert.equal(shown('[the image](../../deploy/Dockerfile)'), 'the image (`deploy/Dockerfile`)');
  });

  it('resolves snippets relative to itself, and does not change code', () => {
    assert.equal(shown('<<< ../../examples/vue/App.vue'), `<<< ${join(ROOT, 'examples/vue/App.vue')}`);
    const code = '```md\n[examples](../../examples)\n```';
    assert.equal(shown(code), code);
  });
});

describe('the code in pages', () => {
  const shown = [...pagesOf(ROOT).keys()].flatMap((page) =>
    [...read(page).matchAll(/^<<< (\S+)$/gm)].map(([, path = '']) => join(ROOT, dirname(page), path)),
  );

  it('comes from examples that tests build and run', () => {
    assert.ok(shown.length > 8);
    const examples = join(ROOT, 'examples/');
    assert.deepEqual(
      shown.filter((file) => !file.startsWith(examples) || !existsSync(file)),
      [],
    );
  });
});

describe('the link check', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cloud-browser-docs-'));
    mkdirSync(join(folder, 'start'));
    writeFileSync(join(folder, 'start/index.html'), '<h1 id="top">Start</h1><a href="#gone">x</a>');
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('reports exactly the missing pages and anchors', () => {
    const links = ['/docs/start/', '/docs/start/#top', 'start/index.html#no', '/docs/none.html'];
    const out = ['/other', 'https://example.com/#x', 'mailto:a@example.com'];
    writeFileSync(
      join(folder, 'index.html'),
      [...links, ...out].map((href) => `<a class="x" href="${href}">x</a>`).join(''),
    );
    assert.deepEqual(brokenLinks(folder, '/docs/').sort(), [
      'index.html links to none.html, which is not there.',
      'index.html links to start/index.html#no, which is not there.',
      'start/index.html links to start/index.html#gone, which is not there.',
    ]);
  });
});

describe('the error reference', () => {
  const errors = ERROR_CODES.map((code) => new ServiceError(code, '…', '…')).map(
    ({ code, status, message }) => ({ code, status, message }),
  );
  const page = errorsPage({ errors, api: read('docs/api.md'), sdk: read('docs/sdk.md') });

  it('has one section for every code', () => {
    const places = [...page.matchAll(/\{#(err_\w+)\}$/gm)].map(([, code = '']) => code);
    const thrown = [...read('src/core/errors.ts').matchAll(/code = '(err_\w+)'/g)].map(
      ([, code = '']) => code,
    );
    const all = new Set([...ERROR_CODES, ...HOST_CALL_CODES, ...FILE_CODES, ...CALL_ERROR_CODES, ...thrown]);
    assert.deepEqual(
      [...all].filter((code) => !places.includes(code)),
      [],
    );
    assert.equal(new Set(places).size, places.length);
  });

  it('leads to the guides from the rows that it takes from them', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.includes('../api.md#tokens'));
    assert.deepEqual(
      links.filter((link) => !/^(#err_|\.\.\/|https:)/.test(link)),
      [],
    );
  });

  it('quotes the message of the service', () => {
    assert.match(page, /^> The service is shutting down\. Try again in a moment\.$/m);
  });
});

describe('the request reference', () => {
  type Paths = Record<string, Record<string, { operationId: string }>>;
  async function openapiOf(options: Parameters<typeof createTestService>[0] = {}) {
    const service = await createTestService(options);
    const openapi = (await service.app.inject('/openapi.json')).json<{ paths: Paths }>();
    await service.close();
    return openapi;
  }

  it('names the errors of rates, unfinished calls and sizes', async () => {
    const root = await recordingRoot();
    const { recordings } = await recordingsIn(root);
    const openapi = await openapiOf({ recordings });
    rmSync(root, { recursive: true });
    const text = Object.values(restPages(openapi, read('docs/api.md')).pages).join('\n');
    const errorsOf = (method: string, path: string) => {
      const id = openapi.paths[path]?.[method]?.operationId.toLowerCase();
      const [, errors] = text.split(`{#${id}}`)[1]?.split('**Errors:**') ?? [];
      return [...(errors?.split('\n')[0] ?? '').matchAll(/`err_(\w+)`/g)].map(([, code]) => code);
    };
    const limited = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      path.startsWith('/{address}') && path !== '/{address}/ok'
        ? Object.keys(methods).map((method) => [method, path] as const)
        : [],
    );
    assert.ok(limited.length > 20);
    for (const [method, path] of [
      ...limited,
      ['post', '/v0/vm'],
      ['get', '/v0/recordings/{id}'],
      ['get', '/v0/recordings/{id}/video.mp4'],
    ] as const)
      assert.ok(errorsOf(method, path).includes('too_many_requests'), `${method} ${path}`);
    for (const code of ['too_many_calls', 'too_many_agents'])
      assert.ok(errorsOf('get', '/{address}/screenshot').includes(code), code);
    for (const code of ['file_too_large', 'file_quota'])
      assert.ok(errorsOf('post', '/{address}/uploads').includes(code), code);
    assert.ok(!errorsOf('get', '/v0/vm').includes('too_many_requests'));
  });

  it('has every request with its address, and a curl line for each in the guide', async () => {
    const openapi = await openapiOf();
    const { pages } = restPages(openapi, read('docs/api.md'));
    const text = Object.values(pages).join('\n');
    for (const [path, methods] of Object.entries(openapi.paths))
      for (const method of Object.keys(methods))
        assert.ok(text.includes(`\`${method.toUpperCase()} ${path}\``), `${method} ${path}`);
    const lines = [...read('docs/api.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, line = '']) =>
      line.trim(),
    );
    assert.deepEqual(
      lines.filter((line) => !text.includes(line) && !line.includes('/openapi.json')),
      [],
    );
  });
});
