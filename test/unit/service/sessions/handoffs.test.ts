import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { HandoffState } from 'cloud-browser/protocol';
import { HostCallError } from '../../../../server/src/sessions/host-call-error.js';
import { ApiCaller, codeOf, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

const STATE: HandoffState = {
  ...{ id: 'h1', name: 'Helper', agent: null, instructions: 'Log in.' },
  requestedAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2030-01-01T00:10:00.000Z',
  ...{ outcome: null, note: '', answeredBy: null },
};
const VIEW = {
  ...{ id: 'h1', name: 'Helper', agent: null, instructions: 'Log in.' },
  requested_at: '2030-01-01T00:00:00.000Z',
  expires_at: '2030-01-01T00:10:00.000Z',
  ...{ outcome: null, note: '', answered_by: null },
};
const webhook = { url: 'https://example.com/events', bearer: 'b' };

let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService();
  api = new ApiCaller(service);
});
afterEach(() => service.close());

const pathOf = ({ embed_url }: Access) => new URL(embed_url).pathname;

describe('the hand-offs of a session over HTTP', () => {
  it('are requested, read and withdrawn', async () => {
    const session = await api.begin({ automation: true });
    const { last } = service.pool;
    last.perform = () => STATE;
    const asked = await api.control(session, 'handoffs', { instructions: 'Log in.', timeout: 600 });
    assert.deepEqual([asked.statusCode, asked.json()], [200, VIEW]);
    const read = await api.send('GET', `${pathOf(session)}/handoffs/h1`);
    assert.deepEqual([read.statusCode, read.json()], [200, VIEW]);
    last.perform = () => ({ ...STATE, outcome: 'withdrawn' });
    const withdrawn = await api.send('DELETE', `${pathOf(session)}/handoffs/h1`);
    assert.deepEqual(withdrawn.json(), { ...VIEW, outcome: 'withdrawn' });
    assert.deepEqual(last.calls, [
      { method: 'handoffs.request', args: [{ instructions: 'Log in.', timeout: 600 }] },
      { method: 'handoffs.get', args: ['h1', 0] },
      { method: 'handoffs.withdraw', args: ['h1'] },
    ]);
  });

  it('are listed while they wait for a person', async () => {
    const session = await api.begin({ automation: true });
    const { listener } = service.pool.last;
    const list = async () => (await api.send('GET', `${pathOf(session)}/handoffs`)).json<unknown>();
    assert.deepEqual(await list(), { handoffs: [] });
    listener.onHandoff(STATE);
    listener.onHandoff({ ...STATE, id: 'h2' });
    assert.deepEqual(await list(), { handoffs: [VIEW, { ...VIEW, id: 'h2' }] });
    listener.onHandoff({ ...STATE, outcome: 'done', answeredBy: 'ada' });
    assert.deepEqual(await list(), { handoffs: [{ ...VIEW, id: 'h2' }] });
  });

  it('can be waited for, in calls that are shorter than their timeout', async () => {
    const session = await api.begin({ automation: true });
    const { last } = service.pool;
    let calls = 0;
    last.perform = () => (++calls < 3 ? STATE : { ...STATE, outcome: 'done', note: 'OK', answeredBy: 'u' });
    const read = await api.send('GET', `${pathOf(session)}/handoffs/h1?wait=25`);
    assert.deepEqual(read.json(), { ...VIEW, outcome: 'done', note: 'OK', answered_by: 'u' });
    assert.deepEqual(
      last.calls.map(({ args }) => args[1]),
      [8, 8, 8],
    );
    last.perform = () => STATE;
    last.calls.length = 0;
    assert.deepEqual((await api.send('GET', `${pathOf(session)}/handoffs/h1?wait=10`)).json(), VIEW);
    assert.deepEqual(
      last.calls.map(({ args }) => args[1]),
      [8, 2],
    );
  });

  it('are read on behalf of the program that asks', async () => {
    const session = await api.begin({ automation: true });
    const { last } = service.pool;
    const issued = await api.send('POST', `${pathOf(session)}/tokens`, { scope: 'automation' });
    const { token, token_id: tokenId } = issued.json<{ token: string; token_id: string }>();
    last.perform = (method) => (method === 'handoffs.get' ? STATE : []);
    for (const path of ['handoffs/h1', 'json/list']) {
      const url = `${pathOf(session)}/${path}`;
      const headers = { authorization: `Bearer ${token}` };
      const { statusCode } = await service.app.inject({ method: 'GET', url, headers });
      assert.equal(statusCode, 200);
      assert.equal(last.callers.at(-1)?.tokenId, tokenId, path);
    }
  });

  it('are requested with the rights of a program only for tokens of the scope automation', async () => {
    const session = await api.begin({ automation: true });
    const { last } = service.pool;
    last.perform = () => STATE;
    for (const scope of ['automation', 'admin']) {
      const issued = await api.send('POST', `${pathOf(session)}/tokens`, { scope });
      const { token } = issued.json<{ token: string }>();
      assert.equal((await api.control(session, 'handoffs', { instructions: 'x' }, token)).statusCode, 200);
      assert.equal(last.callers.at(-1)?.automates, scope === 'automation' ? true : undefined, scope);
    }
    await api.control(session, 'handoffs', { instructions: 'x' });
    assert.equal(last.callers.at(-1)?.automates, undefined);
  });

  it('are refused with wrong values, tokens and ids', async () => {
    const session = await api.begin({ automation: true });
    const long = 'x'.repeat(2_001);
    for (const body of [{}, { instructions: '' }, { instructions: long }, { instructions: 'x', timeout: 0 }])
      assert.equal((await api.control(session, 'handoffs', body)).statusCode, 400, JSON.stringify(body));
    const named = await api.control(session, 'handoffs', { instructions: 'x', name: 'x'.repeat(65) });
    assert.equal(named.json<{ message: string }>().message, 'name must be a text of at most 64 characters.');
    assert.equal((await api.send('GET', `${pathOf(session)}/handoffs/h1?wait=26`)).statusCode, 400);
    const wrong = await api.control(session, 'handoffs', { instructions: 'x' }, 'wrong');
    assert.equal(wrong.statusCode, 401);
    service.pool.last.perform = () => {
      throw new HostCallError('err_handoff_gone', 'There is no hand-off h1 in this session.');
    };
    const unknown = await api.send('GET', `${pathOf(session)}/handoffs/h1`);
    assert.deepEqual(codeOf(unknown), [404, 'err_handoff_gone']);
    service.pool.last.perform = () => {
      throw new HostCallError('err_too_many_handoffs', 'A session can have at most 8 open hand-offs.');
    };
    assert.equal((await api.control(session, 'handoffs', { instructions: 'x' })).statusCode, 409);
  });

  it('are refused in a session without automation', async () => {
    const session = await api.begin();
    const asked = await api.control(session, 'handoffs', { instructions: 'x' });
    assert.deepEqual(codeOf(asked), [409, 'err_no_automation']);
    for (const path of ['handoffs', 'handoffs/h1'])
      assert.equal((await api.send('GET', `${pathOf(session)}/${path}`)).statusCode, 409);
    assert.equal((await api.send('DELETE', `${pathOf(session)}/handoffs/h1`)).statusCode, 409);
    assert.deepEqual(service.pool.last.calls, []);
  });

  it('are counted by their outcomes, with the agents and their commands', async () => {
    await api.begin({ automation: true });
    const { listener } = service.pool.last;
    listener.onHandoff(STATE);
    listener.onHandoff({ ...STATE, outcome: 'done', note: 'OK', answeredBy: 'u' });
    listener.onAgentUse({ agents: 2, joined: 2, commands: { input: 3 }, refusals: 1 });
    listener.onAgentUse({ agents: 1, joined: 0, commands: { input: 1, script: 5 }, refusals: 0 });
    const metrics = (await api.send('GET', '/metrics')).body;
    for (const line of [
      'handoffs_total{outcome="requested"} 1',
      'handoffs_total{outcome="done"} 1',
      'agents 1',
      'agent_connections_total 2',
      'agent_commands_total{class="input"} 4',
      'agent_commands_total{class="script"} 5',
      'agent_refusals_total 1',
    ])
      assert.ok(metrics.includes(`cloud_browser_${line}\n`), line);
    listener.onEnded('ended', 'It was ended.');
    assert.match((await api.send('GET', '/metrics')).body, /^cloud_browser_agents 0$/m);
  });

  it('are sent to endpoints that requested them, and to no others', async () => {
    await api.begin({ timeout: { webhook } });
    service.pool.last.listener.onHandoff(STATE);
    const { session_id } = await api.begin({ timeout: { webhook: { ...webhook, handoffs: true } } });
    const { listener } = service.pool.last;
    listener.onHandoff(STATE);
    listener.onHandoff({ ...STATE, outcome: 'done', note: 'OK', answeredBy: 'u' });
    const { id, name, agent, instructions, expires_at } = VIEW;
    const handoff = { id, name, agent, instructions, expires_at };
    const common = { session_id, handoff };
    assert.deepEqual(
      service.events.events.map(({ body }) => body),
      [
        { ...common, type: 'handoff.requested' },
        {
          ...common,
          type: 'handoff.finished',
          handoff: { ...handoff, outcome: 'done', note: 'OK', answered_by: 'u' },
        },
      ],
    );
  });
});
