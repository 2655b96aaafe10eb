import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

const SCRIPT = 'document.documentElement.dataset.mode = "dark"';
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

async function withService(
  options: Parameters<typeof createTestService>[0],
  look: (service: TestService) => Promise<void>,
) {
  const service = await createTestService(options);
  await look(service).finally(() => service.close());
}

describe('the documentation', () => {
  let docs: string;
  before(() => {
    docs = mkdtempSync(join(tmpdir(), 'cloud-browser-docs-'));
    const scripts = `<script id="mode">${SCRIPT}</script><script type="module" src="/docs/app.js"></script>`;
    writeFileSync(join(docs, 'index.html'), `<!doctype html><title>docs</title>${scripts}`);
    writeFileSync(join(docs, '404.html'), '<!doctype html><title>no such page</title>');
    writeFileSync(join(docs, 'app.js'), 'export {};');
  });
  after(() => {
    rmSync(docs, { recursive: true });
  });

  it('is served at /docs/ if it was built, with a link from the demo', () =>
    withService({ docs }, async ({ app }) => {
      const page = await app.inject('/docs/');
      assert.equal(page.statusCode, 200);
      assert.match(page.body, /<title>docs/);
      assert.equal((await app.inject('/docs')).headers.location, '/docs/');
      assert.equal((await app.inject('/docs/app.js')).statusCode, 200);
      const none = await app.inject('/docs/none.html');
      assert.equal(none.statusCode, 404);
      assert.match(none.body, /<title>no such page/);
      assert.ok(none.headers['content-security-policy']);
      assert.equal((await app.inject('/none')).json<{ code: string }>().code, 'err_not_found');
      assert.match((await app.inject('/')).body, /<a href="\/docs\/">Docs/);
    }));

  it('runs only its own scripts, and may not be framed', () =>
    withService({ docs }, async ({ app }) => {
      const policy = String((await app.inject('/docs/')).headers['content-security-policy']);
      assert.ok(policy.includes(`script-src 'self' 'sha256-${HASH}';`), policy);
      assert.match(policy, /default-src 'self'.*frame-ancestors 'none'/);
    }));

  it('serves only its own files', () =>
    withService({ docs }, async ({ app }) => {
      for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/..%2fpackage.json'])
        assert.notEqual((await app.inject(path)).statusCode, 200, path);
    }));

  for (const [what, options] of [
    ['configured', () => ({})],
    ['built', () => ({ docs: join(docs, 'none') })],
  ] as const)
    it(`is neither served nor linked if it is not ${what}`, () =>
      withService(options(), async ({ app }) => {
        assert.equal((await app.inject('/docs/')).statusCode, 404);
        assert.match((await app.inject('/')).body, /data-docs hidden/);
      }));
});
