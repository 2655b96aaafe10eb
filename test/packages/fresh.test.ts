import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { pack } from '../../scripts/pack.mjs';
import { AnsweringServer } from '../e2e/support/answering-server.js';
import { atEnd, endFile } from '../e2e/support/cleanup.js';
import { LAUNCH_OPTIONS } from '../e2e/support/launch-options.js';
import { PageServer } from '../e2e/support/page-server.js';
import { complaintsOf, showsMarker } from '../e2e/support/shown-colour.js';
import { until } from '../e2e/support/until.js';
import { KINDS } from './fresh-kinds.js';
import { FreshProject, type Kind } from './fresh-project.js';
import { FreshService } from './fresh-service.js';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Steps of a new user with the packed tarballs and the npm registry, in separate folders. */
describe('the packed packages, in a new folder,', () => {
  let place: string;
  let tarballs: { sdk: string; server: string };
  let service: FreshService;
  let browser: Browser;
  let embedUrl: string;
  before(async () => {
    place = mkdtempSync(join(tmpdir(), 'cloud-browser-fresh-'));
    atEnd(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
    // The users of sessions must be able to enter.
    chmodSync(place, 0o711);
    tarballs = await pack();
    service = await FreshService.start(join(place, 'service'), tarballs.server);
    atEnd(() => service.stop());
    browser = await chromium.launch(LAUNCH_OPTIONS);
    atEnd(() => browser.close());
    embedUrl = await service.embedUrl((await PageServer.start()).page('marker').url);
  });
  after(endFile);

  it('contain a service that npx starts with its demo', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.url}/`);
    await page.getByRole('button', { name: 'Start session' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('work in a plain page of another origin', async () => {
    const html = `<!doctype html><script type="module" src="${service.url}/element.js"></script>
      <cloud-browser embed-url="${embedUrl}"></cloud-browser>`;
    const site = await AnsweringServer.start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    await plays(site.url);
  });

  for (const kind of KINDS)
    it(`are type-checked, built and used by a Vite project: ${kind.name}`, async () => {
      const project = await FreshProject.install(join(place, kind.name), kind, tarballs.sdk);
      assert.deepEqual(await project.wrongFiles(), [`${kind.name}/${kind.wrong[0]}`]);
      await project.build();
      await plays(`${await serve(project.folder, kind)}/${kind.name}/`);
    });

  /** Serves the build of a project, and the session that its page requests. Resolves to the address. */
  async function serve(folder: string, { name, server }: Kind): Promise<string> {
    const read = (path: string) => readFileSync(join(folder, 'dist', path));
    const page = read(`${name}/index.html`).toString();
    const html = server ? (await renderer(folder))(page, { embedUrl }) : page;
    const site = await AnsweringServer.start(({ url = '/' }, response) => {
      const path = normalize(url);
      if (path === '/api/session') response.end(JSON.stringify({ embedUrl }));
      else if (path === `/${name}/`) response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      else if (existsSync(join(folder, 'dist', path)))
        response.writeHead(200, { 'content-type': TYPES[extname(path)] }).end(read(path));
      else response.writeHead(404).end();
    });
    return site.url;
  }

  /** Waits until the page at an address shows the session, without errors in the console. */
  async function plays(url: string): Promise<void> {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(url);
    await until(`${url} shows the hosted page`, () => showsMarker(page));
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

type Render = (page: string, props: { embedUrl: string }) => string;

/** Loads a project's build that renders its page in Node. */
async function renderer(folder: string): Promise<Render> {
  const built = (await import(pathToFileURL(join(folder, 'dist-server/render.js')).href)) as {
    render: Render;
  };
  return built.render;
}
