import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openService, type OpenService } from '../../fakes/open-service.js';
import { API_KEY } from '../../fakes/test-service.js';

interface Room {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A chat bot's client for the REST API: one class, a base address, a key, and errors with codes. */
class Browsers {
  constructor(
    private readonly base: string,
    private readonly key: string,
  ) {}

  create = (options: object = {}) => this.#send<Room>('POST', `${this.base}/v0/vm`, options);
  read = (id: string) => this.#send<Record<string, unknown>>('GET', `${this.base}/v0/vm/${id}`);
  end = (id: string) => this.#send<{ session_id: string }>('DELETE', `${this.base}/v0/vm/${id}`);
  usage = (tenant: string) =>
    this.#send<{ usage: { date: string; seconds: number }[] }>(
      'GET',
      `${this.base}/v0/vm/usage?tenant_id=${tenant}`,
    );

  /** Returns all of them, page by page while there is a next page. */
  async list(): Promise<string[]> {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const query: string = after ? `?after_id=${after}` : '';
      const page: { results: { id: string; creation_date: string }[]; next: string | null } =
        await this.#send('GET', `${this.base}/v0/vm${query}`);
      ids.push(...page.results.map(({ id }) => id));
      after = page.next;
    } while (after);
    return ids;
  }

  /** Under a session's own address, with its admin token. */
  control<Answer>(room: Room, path: string, body?: unknown, method = 'POST') {
    const [address = ''] = room.embed_url.split('?');
    return this.#send<Answer>(method, `${address}/${path}`, body, room.admin_token);
  }

  async #send<Answer>(method: string, url: string, body?: unknown, token = this.key): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    // As request libraries do: a body of this type for each method that can have one.
    const init = method === 'POST' ? { body: body === undefined ? '' : JSON.stringify(body) } : {};
    const response = await fetch(url, { method, headers, ...init });
    const answer: unknown = await response.json();
    if (response.ok) return answer as Answer;
    const { code, message } = answer as { code: string; message: string };
    throw new ApiError(response.status, code, message);
  }
}

let service: OpenService;
let bot: Browsers;
beforeEach(async () => {
  service = await openService();
  bot = new Browsers(service.url, API_KEY);
});
afterEach(() => service.close());

/** A bot's parameters for a command. An unset parameter is null. */
const COMMAND = {
  start_url: 'youtube.com',
  tag: 81_234_567_890,
  tenant_id: 'guild',
  region: null,
  timeout: { absolute: null, inactive: 1_800, offline: '300', warning: null, webhook: null },
  profile: null,
  dark: 'true',
};

describe('a chat bot with a client class for the REST API', () => {
  // Proves: tag; POST /v0/vm
  it('starts a browser for a room, and finds it by its tag with the admin token', async () => {
    const room = await bot.create(COMMAND);
    assert.deepEqual(Object.keys(room), ['session_id', 'embed_url', 'admin_token']);
    assert.deepEqual(await bot.create(COMMAND), room);
    const { session } = service.pool.last;
    assert.deepEqual([session.startUrl, session.dark], ['https://youtube.com/', true]);
    assert.equal((await bot.read(room.session_id))['termination_date'], null);
  });

  // Proves: GET /v0/vm; answer results; answer id; answer next
  it('lists all pages of its browsers up to an empty page', async () => {
    const first = await bot.create();
    // Sessions of the same moment have no fixed order.
    service.clock.advance(1);
    const rooms = [first, await bot.create()];
    assert.deepEqual(
      await bot.list(),
      rooms.map(({ session_id: id }) => id),
    );
    await Promise.all(rooms.map(({ session_id: id }) => bot.end(id)));
    assert.deepEqual(await bot.list(), []);
  });

  // Proves: POST {session}/timeout; POST {session}/ping
  it('changes limits, removes one with null, and prevents idle timeouts', async () => {
    const room = await bot.create(COMMAND);
    const limits = { absolute: 7_200, inactive: 600, offline: null, warning: 60 };
    assert.deepEqual(await bot.control(room, 'timeout', { ...limits, warning: null }), limits);
    service.clock.advance(599_000);
    await bot.control(room, 'ping', {});
    service.clock.advance(599_000);
    assert.equal((await bot.read(room.session_id))['termination_date'], null);
    service.clock.advance(1_000);
    assert.equal((await bot.read(room.session_id))['termination_reason'], 'inactive');
  });

  // Proves: POST {session}/setPermissions; POST {session}/addRoles; POST {session}/removeRoles
  // Proves: DELETE {session}/users/{user_id}; answer true of roles and permissions
  it('gives control, takes it and removes a user, and each response is true', async () => {
    const room = await bot.create({ control_disable_default: true });
    const permissions = { priority: 1, idle_timeout: null, control_disabled: false };
    assert.equal(await bot.control(room, 'setPermissions', ['user-1', permissions]), true);
    assert.equal(await bot.control(room, 'addRoles', [['user-1'], ['cursor_data'], null]), true);
    assert.equal(await bot.control(room, 'removeRoles', [['user-1'], ['control'], true]), true);
    assert.deepEqual(await bot.control(room, 'users/user-2', undefined, 'DELETE'), { user_id: 'user-2' });
    assert.deepEqual(
      service.pool.last.calls.map(({ method }) => method),
      ['setPermissions', 'addRoles', 'removeRoles', 'kick'],
    );
  });

  // Proves: POST {session}/bookmarks; POST {session}/tabs.<method>
  it('controls tabs, and adds bookmarks', async () => {
    const room = await bot.create();
    const { last } = service.pool;
    last.perform = (method) => (method === 'tabs.query' ? [{ id: 7 }] : null);
    assert.deepEqual(await bot.control(room, 'tabs.query', [{ active: true }]), [{ id: 7 }]);
    assert.equal(await bot.control(room, 'tabs.goBack'), null);
    const [address = ''] = room.embed_url.split('?');
    const headers = { authorization: `Bearer ${room.admin_token}`, 'content-type': 'text/html' };
    const body = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.com/">One</A></DL>';
    const response = await fetch(`${address}/bookmarks`, { method: 'POST', headers, body });
    assert.deepEqual([response.status, last.bookmarks.length], [200, 1]);
  });

  // Proves: GET /v0/vm/usage; answer usage; answer seconds; answer date
  it('reports the monthly usage of a guild with dates that it can parse', async () => {
    const room = await bot.create(COMMAND);
    service.clock.advance(90_000);
    await bot.end(room.session_id);
    const { usage } = await bot.usage('guild');
    assert.deepEqual(usage, [{ date: '2030-01-01T00:00:00Z', seconds: 90 }]);
    assert.equal(new Date(usage[0]?.date ?? '').getUTCMonth(), 0);
    assert.deepEqual((await bot.usage('nobody')).usage, []);
  });

  // Proves: GET /vm/ok; GET /ok; status 400 err_exceeded_vm_limit; status 401 err_unauthenticated
  // Proves: status 404
  it('reports errors to its room with code and message', async () => {
    const refused = async (action: Promise<unknown>, status: number, code: string) =>
      assert.rejects(
        action,
        (error) => error instanceof ApiError && error.status === status && error.code === code,
      );
    for (let count = 0; count < 3; count++) await bot.create();
    await refused(bot.create(), 400, 'err_exceeded_vm_limit');
    await refused(new Browsers(service.url, 'a wrong key').create(), 401, 'err_unauthenticated');
    await refused(bot.create({ fps: 10 }), 400, 'err_invalid_parameter');
    await refused(bot.read('00000000-0000-4000-8000-000000000000'), 404, 'err_not_found');
    assert.deepEqual(await (await fetch(`${service.url}/ok`)).json(), { status: 'ok' });
    assert.deepEqual(await (await fetch(`${service.url}/vm/ok?reg=EU`)).json(), { status: 'ok' });
  });
});
