import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FileReplayTokens } from '../../../server/src/recordings/tokens/file-replay-tokens.js';
import type { Recordings } from '../../../server/src/sessions/recordings/recordings.js';
import type { PictureReader } from '../../../server/src/sessions/recordings/thumbnails.js';
import { MAX_REPLAY_TOKENS } from '../../../server/src/sessions/recordings/replay-tokens.js';
import { ApiCaller, codeOf } from '../../fakes/api-caller.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { recordingsIn, startRecording } from '../../fakes/recording-parts.js';
import { API_KEY, createTestService, PUBLIC_URL, quiet, type TestService } from '../../fakes/test-service.js';
import { replayTokenContract } from '../../support/contracts/replay-token-contract.js';
import { rootsFixture } from '../../support/recordings-fixture.js';

const newRoot = rootsFixture();

replayTokenContract('files', async () => {
  const root = await newRoot();
  const open = () => FileReplayTokens.open(root, quiet);
  return { store: await open(), reopen: open, recordings: ['one', 'two'] };
});

interface Issued {
  token_id: string;
  token: string;
  expires: string;
  url: string;
  video_url: string;
  playlist_url: string;
}

let service: TestService;
let api: ApiCaller;
let recordings: Recordings;
let root: string;
let clock: ManualClock;
/** A complete recording, and another one. */
let id: string;
let other: string;

async function recorded(name: string): Promise<string> {
  const { session, id } = await startRecording(recordings, name);
  await session.event({ t: 1, type: 'marker', name: 'Here' });
  await recordings.stop(name, id);
  return id;
}

beforeEach(async () => {
  root = await newRoot();
  clock = new ManualClock();
  const readPicture: PictureReader = (_video, { seconds, width }) =>
    Promise.resolve(Buffer.from(`${seconds} ${width}`));
  ({ recordings } = await recordingsIn(root, { clock, readPicture }));
  service = await createTestService({ recordings });
  api = new ApiCaller(service);
  id = await recorded('one');
  other = await recorded('two');
});
afterEach(() => service.close());

const issue = async (body: unknown = {}): Promise<Issued> => {
  const response = await api.send('POST', `/v0/recordings/${id}/tokens`, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<Issued>();
};

/** Sends a request without an API key. */
const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ url: url.replace(PUBLIC_URL, ''), headers });

const FILES = ['', '/video.mp4', '/index.m3u8', '/events', '/chapters.vtt', '/thumbnail.jpg'];

describe('the list of recordings', () => {
  const list = (query: string) => api.send('GET', `/v0/recordings${query}`);
  const ids = async (query: string) =>
    (await list(query)).json<{ results: { id: string }[] }>().results.map((one) => one.id);

  it('has those that a filter names, and refuses an unknown filter', async () => {
    assert.deepEqual((await ids('')).toSorted(), [id, other].toSorted());
    assert.deepEqual(await ids('?session=two'), [other]);
    assert.deepEqual(await ids('?tenant=somebody'), []);
    const response = await list('?tenant_id=somebody');
    assert.equal(response.statusCode, 400);
    assert.deepEqual(response.json(), {
      code: 'err_invalid_parameter',
      message: 'The parameter tenant_id must be one of session, tag, tenant, user, from, to, after_id.',
    });
  });

  it('accepts a date or a date with time of RFC 3339, and refuses other texts', async () => {
    const from = (date: string) => `?from=${encodeURIComponent(date)}`;
    // The recordings started at 2030-01-01T00:00:00Z.
    const beginning = ['2030-01-01', '2030-01-01T00:00', '2030-01-01 00:00:00', '2030-01-01T00:00:00Z'];
    for (const early of [...beginning, '2030-01-01t01:00:00.000+01:00', '0001-01-01'])
      assert.equal((await ids(from(early))).length, 2, early);
    for (const late of ['2030-01-01T00:00:00.001z', '2029-12-31T23:59:59-00:01', '9999-12-31'])
      assert.deepEqual(await ids(from(late)), [], late);
    const wrong = ['202401', '2030-02-31', '2030-01-01T00', '2030-01-01T24:00:00Z', '1 May 2030', '2030'];
    const spaced = '2030-01-01T00:00:00 01:00';
    for (const text of [...wrong, '0000-01-01', '9999-12-31T23:59:59-01:00', spaced]) {
      const response = await list(from(text));
      assert.equal(response.statusCode, 400, text);
      assert.deepEqual(response.json(), {
        code: 'err_invalid_parameter',
        message: `from must be an RFC 3339 date, such as 2030-01-31 or 2030-01-31T12:00:00Z.${
          text === spaced ? ' Send a + in an address as %2B.' : ''
        }`,
      });
    }
  });
});

describe('a token of a recording', () => {
  it('reads everything of its recording, in the header or in the address', async () => {
    const { token, url, video_url: video, playlist_url: playlist } = await issue();
    assert.equal(url, `${PUBLIC_URL}/v0/recordings/${id}?token=${token}`);
    for (const address of [url, video, playlist]) assert.equal((await get(address)).statusCode, 200);
    for (const file of FILES) {
      const path = `/v0/recordings/${id}${file}`;
      assert.equal((await get(path, { authorization: `Bearer ${token}` })).statusCode, 200, file);
      assert.equal((await get(`${path}?token=${token}`)).statusCode, 200, file);
    }
    const part = await get(video, { range: 'bytes=0-9' });
    assert.deepEqual([part.statusCode, part.rawPayload.length], [206, 10]);
  });

  it('reads pictures of the recording, with a time and a width', async () => {
    const { token } = await issue();
    const path = `/v0/recordings/${id}/thumbnail.jpg?token=${token}`;
    const picture = await get(path);
    assert.deepEqual([picture.headers['content-type'], picture.body], ['image/jpeg', '0.2 320']);
    assert.equal((await get(`${path}&t=1.5&width=640`)).body, '1.5 640');
    for (const wrong of ['t=-1', 't=x', 'width=0', 'width=5000'])
      assert.equal((await get(`${path}&${wrong}`)).statusCode, 400, wrong);
  });

  it('is in the addresses of a playlist that was fetched with it', async () => {
    const { token, playlist_url: playlist } = await issue();
    const text = (await get(playlist)).body;
    const addresses = text.match(/video\.mp4[^\n"]*/g) ?? [];
    assert.equal(addresses.length, 2);
    for (const address of addresses) {
      assert.equal(address, `video.mp4?token=${token}`);
      assert.equal((await get(`/v0/recordings/${id}/${address}`)).statusCode, 200);
    }
    const path = `/v0/recordings/${id}/index.m3u8`;
    assert.doesNotMatch((await get(path, { authorization: `Bearer ${token}` })).body, /token/);
  });

  it('gives access to nothing else', async () => {
    const { token } = await issue();
    const authorization = `Bearer ${token}`;
    const session = await api.begin();
    const paths = [
      ...FILES.map((file) => `/v0/recordings/${other}${file}`),
      ...['/v0/recordings', `/v0/recordings?session=one`, `/v0/recordings/${id}/tokens`, '/v0/vm'],
      `/v0/vm/${session.session_id}`,
      ...FILES.map((file) => `/v0/recordings/unknown${file}`),
    ];
    for (const path of paths) {
      const separator = path.includes('?') ? '&' : '?';
      assert.equal((await get(path, { authorization })).statusCode, 401, path);
      assert.equal((await get(`${path}${separator}token=${token}`)).statusCode, 401, path);
    }
    for (const method of ['DELETE', 'POST'] as const) {
      const url = method === 'DELETE' ? `/v0/recordings/${id}` : `/v0/recordings/${id}/tokens`;
      const response = await service.app.inject({ method, url, headers: { authorization } });
      assert.equal(response.statusCode, 401);
    }
    const { pathname } = new URL(session.embed_url);
    assert.equal((await get(`${pathname}/tokens`, { authorization })).statusCode, 401);
  });

  it('is refused if it is wrong, and an API key is no token in an address', async () => {
    await issue();
    for (const token of ['', 'wrong', API_KEY, 'a'.repeat(43)]) {
      const response = await get(`/v0/recordings/${id}/video.mp4?token=${token}`);
      assert.deepEqual(codeOf(response), [401, 'err_unauthenticated']);
    }
    assert.equal((await get(`/v0/recordings/${id}`)).statusCode, 401);
  });

  it('cannot be guessed, because wrong ones in the address are counted', async () => {
    let status = 0;
    for (let count = 0; count < 150 && status !== 429; count++)
      status = (await get(`/v0/recordings/${id}?token=wrong${count}`)).statusCode;
    assert.equal(status, 429);
  });

  it('expires', async () => {
    const { url, expires } = await issue({ ttl: 60 });
    assert.equal(Date.parse(expires), clock.date().getTime() + 60_000);
    clock.advance(59_999);
    assert.equal((await get(url)).statusCode, 200);
    clock.advance(1);
    assert.equal((await get(url)).statusCode, 401);
    const { body } = await api.send('GET', `/v0/recordings/${id}/tokens`);
    assert.deepEqual(JSON.parse(body), { tokens: [] });
  });

  it('is listed without its secret, and can be revoked', async () => {
    const first = await issue();
    const second = await issue();
    const { body } = await api.send('GET', `/v0/recordings/${id}/tokens`);
    const { tokens } = JSON.parse(body) as { tokens: Record<string, unknown>[] };
    assert.deepEqual(
      tokens.map((token) => token['token_id']),
      [first.token_id, second.token_id],
    );
    assert.deepEqual(Object.keys(tokens[0] ?? {}).sort(), ['created', 'expires', 'scope', 'token_id']);
    const path = `/v0/recordings/${id}/tokens/${first.token_id}`;
    assert.equal((await api.send('DELETE', path)).statusCode, 200);
    assert.deepEqual([(await get(first.url)).statusCode, (await get(second.url)).statusCode], [401, 200]);
    assert.equal((await api.send('DELETE', path)).statusCode, 404);
  });

  it('ends with its recording, and leaves nothing on the disk', async () => {
    const { url, token } = await issue();
    const file = join(root, 'tokens', `${id}.json`);
    assert.equal((await readFile(file, 'utf8')).includes(token), false, 'the secret is on the disk');
    assert.equal((await api.send('DELETE', `/v0/recordings/${id}`)).statusCode, 200);
    assert.equal((await get(url)).statusCode, 401);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('is issued only for an existing recording, with valid fields, and not too often', async () => {
    const refusal = async (path: string, body: unknown) => {
      const response = await api.send('POST', path, body);
      return [response.statusCode, response.json<{ code: string }>().code];
    };
    const path = `/v0/recordings/${id}/tokens`;
    assert.deepEqual(await refusal('/v0/recordings/unknown/tokens', {}), [404, 'err_not_found']);
    for (const body of [{ ttl: 0 }, { ttl: 1e9 }, { ttl: 'long' }, []])
      assert.equal((await refusal(path, body))[0], 400, JSON.stringify(body));
    for (let count = 0; count < MAX_REPLAY_TOKENS; count++) await issue({ ttl: 100 });
    assert.deepEqual(await refusal(path, {}), [409, 'err_too_many_tokens']);
    clock.advance(100_000);
    await issue();
  });

  it('works after a restart, and a damaged file of tokens is ignored', async () => {
    const { token } = await issue();
    await writeFile(join(root, 'tokens', `${other}.json`), '[{}]');
    await appendFile(join(root, 'tokens', 'half.json'), '[');
    const { recordings: next } = await recordingsIn(root, { clock });
    assert.equal(await next.tokens.accepts(id, token), true);
    assert.equal(await next.tokens.accepts(other, token), false);
  });
});

describe('the answers about a recording', () => {
  it('can be read by pages of other origins, and are neither stored nor shown as pages', async () => {
    const { token } = await issue();
    for (const file of FILES) {
      const url = `/v0/recordings/${id}${file}?token=${token}`;
      const { headers } = await get(url, { origin: 'https://a.example' });
      assert.equal(headers['access-control-allow-origin'], '*', file);
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', file);
      assert.equal(headers['referrer-policy'], 'no-referrer', file);
      assert.equal(headers['cache-control'], 'no-store', file);
    }
    const refused = await get(`/v0/recordings/${id}?token=wrong`);
    assert.equal(refused.headers['access-control-allow-origin'], '*');
    const url = `/v0/recordings/${id}/video.mp4`;
    const preflight = await service.app.inject({ method: 'OPTIONS', url });
    assert.equal(preflight.statusCode, 204);
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization.*range/);
    assert.match(String(preflight.headers['access-control-expose-headers']), /content-range, retry-after/);
  });

  it('are saved as files with a name if the address has the parameter download', async () => {
    const { token, video_url: video } = await issue();
    const dispositionOf = async (url: string, headers: Record<string, string> = {}) =>
      (await get(url, headers)).headers['content-disposition'];
    // The recording started at 2030-01-01T00:00:00Z.
    const saved = (extension: string) => `attachment; filename="recording-2030-01-01T00-00-00.${extension}"`;
    for (const value of ['', '=', '=true', '=1'])
      assert.equal(await dispositionOf(`${video}&download${value}`), saved('mp4'), value);
    assert.equal(await dispositionOf(`${video}&download=true`, { range: 'bytes=5-9' }), saved('mp4'));
    for (const query of ['', '&download=false']) assert.equal(await dispositionOf(video + query), undefined);
    const others = { events: 'jsonl', 'chapters.vtt': 'vtt', 'thumbnail.jpg': 'jpg' };
    for (const [file, extension] of Object.entries(others)) {
      const url = `/v0/recordings/${id}/${file}?token=${token}`;
      assert.equal(await dispositionOf(url), undefined);
      assert.equal(await dispositionOf(`${url}&download=true`), saved(extension));
    }
    assert.deepEqual(codeOf(await get(`${video}&download=maybe`)), [400, 'err_invalid_parameter']);
  });

  it('are only about one recording for pages, which cannot list or delete', async () => {
    for (const url of ['/v0/recordings', `/v0/recordings/${id}/tokens`]) {
      const { statusCode, headers } = await service.app.inject({ method: 'OPTIONS', url });
      assert.deepEqual([statusCode, headers['access-control-allow-origin']], [401, undefined]);
    }
    const { headers } = await service.app.inject({ method: 'OPTIONS', url: `/v0/recordings/${id}` });
    assert.doesNotMatch(String(headers['access-control-allow-methods']), /DELETE/);
  });
});
