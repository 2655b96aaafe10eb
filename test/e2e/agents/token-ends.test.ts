import assert from 'node:assert/strict';
import { hold } from '../../support/limits.js';
import { askSession } from '../support/ask-session.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { connectAll, issue } from '../support/token-connections.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** Lifetime of the tokens that expire, in seconds. */
const TTL = 5;

let session: Session;

test.beforeAll(async ({ service, pages }) => {
  const page = pages.page('agent-form');
  const roles = ['control', 'chrome_apis'];
  const auth = { type: 'tokens' };
  session = await service.create({
    start_url: page.url,
    width: 640,
    height: 400,
    automation: { roles },
    auth,
  });
  await page.loaded();
});

for (const end of ['revoked', 'expired'] as const)
  test(`live viewers, programs and MCP clients lose the session when their token is ${end}${end === 'revoked' ? ' @main' : ''} @timing`, async () => {
    const observer = await issue(session, { scope: 'view' });
    const watcher = await connectClient({ embed_url: observer.url ?? '' }, session.admin_token);
    const agents = async () => (await watcher.users.list()).filter(({ kind }) => kind === 'agent').length;
    for (const scope of ['view', 'control', 'automation']) {
      const ttl = end === 'expired' ? TTL : 3600;
      const token = await issue(session, { scope, ttl });
      const connections = await connectAll(session, token);
      if (scope === 'automation') await until('both agents have joined', async () => (await agents()) === 2);
      let from = Date.parse(token.expires) - Date.now() + performance.now();
      if (end === 'revoked') {
        from = performance.now();
        await askSession(session, 'DELETE', `tokens/${token.token_id}`);
      }
      for (const { name, ended } of connections) {
        const { at, reason } = await ended();
        if (name !== 'MCP') assert.match(reason, new RegExp(end), name);
        hold('an ended token disconnects', at - from, `${scope}, ${name}, ${end}`);
        note(`${scope}, ${name}: ended ${Math.round(at - from)} ms after it was ${end}`);
      }
      await until('no agent is left', async () => (await agents()) === 0);
    }
    assert.equal(watcher.state, 'playing');
  });
