import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { HandoffState } from 'cloud-browser/protocol';
import { CreateRequest } from '../../../../server/src/create-fields/create-request.js';
import { ERROR_CODES } from '../../../../server/src/service-error.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { claimsOf, unsavedOn } from '../../../fakes/memory-claims.js';
import { API_KEY, OPERATOR_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';
import { MANIFEST, zip } from '../../../fakes/zip.js';

const run = promisify(execFile);
const guide = await readFile(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command.trim());

const HANDOFF: HandoffState = {
  ...{ id: 'h1', name: 'Helper', agent: null, instructions: 'Log in.' },
  requestedAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2030-01-01T00:10:00.000Z',
  ...{ outcome: null, note: '', answeredBy: null },
};

/** Answers a call of the service like a session's host. */
function answerOf(method: string): unknown {
  if (method.startsWith('handoffs.')) return HANDOFF;
  if (method === 'computer.stage') return { id: 'u1', tickets: ['t'] };
  if (method === 'screenshot') return { format: 'jpeg', data: '' };
  return method.startsWith('computer.') ? {} : null;
}

describe('every curl line of the API guide', () => {
  let service: TestService;
  let directory: string;
  let environment: Record<string, string>;
  before(async () => {
    const profileClaims = claimsOf(unsavedOn('aaaaaa', 'p'));
    service = await createTestService({ maxSessions: 50, instead: { profileClaims } });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    directory = await mkdtemp(join(tmpdir(), 'cloud-browser-guide-'));
    await writeFile(join(directory, 'extension.zip'), zip([MANIFEST]));
    await writeFile(join(directory, 'report.pdf'), '%PDF');
    const base = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    environment = { PATH: process.env['PATH'] ?? '', BASE_URL: base, API_KEY, OPERATOR_KEY };
  });
  after(async () => {
    await service.close();
    await rm(directory, { recursive: true });
  });

  for (const command of commands) {
    // Proves: every curl line of docs/api.md
    it(`works: ${command.split('\n')[0]}`, async () => {
      const api = new ApiCaller(service);
      const session = await api.begin({ tenant_id: 'acme', automation: true });
      service.pool.last.perform = answerOf;
      service.pool.last.answerFile = () => ({
        status: 200,
        length: 1,
        body: Readable.from([Buffer.from('x')]),
      });
      const token = await api.control(session, 'tokens', { scope: 'view' });
      const env = {
        ...environment,
        SESSION_ID: session.session_id,
        SESSION_URL: (environment['BASE_URL'] ?? '') + new URL(session.embed_url).pathname,
        ADMIN_TOKEN: session.admin_token,
        USER_ID: 'user-1',
        HANDOFF_ID: HANDOFF.id,
        DOWNLOAD_ID: 'd1',
        UPLOAD_ID: 'u1',
        TOKEN_ID: token.json<{ token_id: string }>().token_id,
        PROFILE: 'p',
        NODE: 'aaaaaa',
      };
      const checked = `curl() { command curl --silent --fail-with-body "$@"; echo; }; ${command}`;
      const { stdout } = await run('bash', ['-euc', checked], { cwd: directory, env });
      if (command.includes('/metrics')) return;
      for (const line of stdout.split('\n').filter(Boolean))
        assert.doesNotThrow(() => JSON.parse(line) as unknown, line);
    });
  }
});

describe('the API guide', () => {
  it('names every error code and every creation field', () => {
    for (const code of ERROR_CODES) assert.ok(guide.includes(`\`${code}\``), code);
    for (const field of Object.keys(CreateRequest.properties)) assert.ok(guide.includes(`\`${field}`), field);
  });
});
