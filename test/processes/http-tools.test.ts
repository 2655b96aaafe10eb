import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openService, type OpenService } from '../fakes/open-service.js';
import { API_KEY } from '../fakes/test-service.js';
import { MANIFEST, zip } from '../fakes/zip.js';
import { TOOLS } from './http-tools.js';

const bearer = { Authorization: `Bearer ${API_KEY}` };

for (const [name, tool] of Object.entries(TOOLS)) {
  describe(`a backend that uses ${name}`, () => {
    let service: OpenService;
    before(async () => (service = await openService()));
    after(() => service.close());

    /** Starts a session, and ends it. */
    const starts = async (headers: Record<string, string>, body?: Buffer | string) => {
      const answer = await tool({ method: 'POST', url: `${service.url}/v0/vm`, headers, body });
      assert.equal(answer.status, 200, answer.body);
      const { session_id: id } = JSON.parse(answer.body) as { session_id: string };
      const ended = await tool({ method: 'DELETE', url: `${service.url}/v0/vm/${id}`, headers: bearer });
      assert.deepEqual([ended.status, JSON.parse(ended.body)], [200, { session_id: id }]);
      return service.pool.last.session;
    };

    // Proves: any body
    it('can start a session with JSON labelled as a form, and with a bare key', async () => {
      const session = await starts({ Authorization: API_KEY }, '{"start_url":"example.com","fps":"30"}');
      assert.deepEqual([session.startUrl, session.fps], ['https://example.com/', 30]);
    });

    // Proves: any body
    it('can start a session with an empty body, also when it is labelled as JSON', async () => {
      assert.equal((await starts(bearer)).startUrl, 'about:blank');
      assert.equal((await starts(bearer, '')).width, 1280);
      assert.equal((await starts({ ...bearer, 'Content-Type': 'application/json' }, '')).fps, 24);
    });

    // Proves: extension.field; any body
    it('can send an extension of nearly 1 MB with the parameters', async () => {
      const archive = zip([MANIFEST, { name: 'large.bin', content: randomBytes(900_000), method: 0 }]);
      const session = await starts(
        { ...bearer, 'Content-Type': 'multipart/form-data; boundary=part' },
        Buffer.concat([
          Buffer.from('--part\r\nContent-Disposition: form-data; name="body"\r\n\r\n'),
          Buffer.from('{"extension":{"field":"ex"},"kiosk":true}\r\n--part\r\n'),
          Buffer.from('Content-Disposition: form-data; name="ex"; filename="ex.zip"\r\n'),
          Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
          archive,
          Buffer.from('\r\n--part--\r\n'),
        ]),
      );
      assert.equal(session.kiosk, true);
      assert.deepEqual(Object.keys(session.extension ?? {}).sort(), ['large.bin', 'manifest.json']);
    });

    // Proves: answer code; answer message
    it('can read why it was refused', async () => {
      const url = `${service.url}/v0/vm`;
      const refused = await tool({ method: 'POST', url, headers: bearer, body: '{"fps":1' });
      assert.equal(refused.status, 400);
      assert.equal((JSON.parse(refused.body) as { code: string }).code, 'err_invalid_json');
      const unknown = await tool({ method: 'GET', url, headers: { Authorization: 'Bearer x' } });
      assert.equal(unknown.status, 401);
    });
  });
}
