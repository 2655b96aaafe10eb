import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readExtension } from '../../../../server/src/extensions/read-extension.js';
import { codeOf } from '../../../fakes/api-caller.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';
import { MANIFEST, zip, type ZipFile } from '../../../fakes/zip.js';

const SCRIPT: ZipFile = { name: 'js/content.js', content: 'document.title = "x";' };

describe('an extension archive', () => {
  const names = async (archive: Buffer) => Object.keys(await readExtension(archive)).sort();

  it('can be a zip, stored or deflated, with its files at the top or in one folder', async () => {
    const folders = { name: 'js/', mode: 0o040755, method: 0 };
    assert.deepEqual(await names(zip([MANIFEST, folders, SCRIPT])), ['js/content.js', 'manifest.json']);
    assert.deepEqual(await names(zip([{ ...MANIFEST, method: 0 }])), ['manifest.json']);
    const inFolder = [MANIFEST, SCRIPT].map((file) => ({ ...file, name: `my-extension/${file.name}` }));
    const files = await readExtension(zip([...inFolder, { name: '__MACOSX/._x', content: 'x' }]));
    assert.deepEqual(Object.keys(files).sort(), ['js/content.js', 'manifest.json']);
    assert.equal(Buffer.from(files['js/content.js'] ?? '', 'base64').toString(), SCRIPT.content);
  });

  it('can be a crx of version 2 or 3', async () => {
    const archive = zip([MANIFEST]);
    const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
    const crx3 = Buffer.concat([Buffer.from('Cr24'), numbers(3, 5), Buffer.alloc(5, 1), archive]);
    const crx2 = Buffer.concat([Buffer.from('Cr24'), numbers(2, 3, 4), Buffer.alloc(7, 1), archive]);
    assert.deepEqual(await names(crx3), ['manifest.json']);
    assert.deepEqual(await names(crx2), ['manifest.json']);
  });

  const manifest = (content: string): ZipFile => ({ name: 'manifest.json', content });
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const many = Array.from({ length: 1_001 }, (_, index) => ({ name: `f${index}`, method: 0 }));
  const bad: [name: string, archive: Buffer, problem: RegExp][] = [
    ['that is not an archive', Buffer.from('hello, this is no archive'), /not a zip or crx/],
    ['that is empty', Buffer.alloc(0), /not a zip or crx/],
    ['larger than 1 MB', zip([MANIFEST, { name: 'x', content: randomBytes(1_100_000) }]), /larger than 1 MB/],
    ['without a manifest', zip([SCRIPT]), /no manifest\.json/],
    ['whose manifest is not JSON', zip([manifest('{')]), /not valid JSON/],
    [
      'whose manifest is nested too deeply',
      zip([
        { ...manifest(`{"manifest_version":3,"name":"x","version":"1","x":${nested(100_000)}}`), method: 0 },
      ]),
      /nested too deeply/,
    ],
    ['whose manifest is a list', zip([manifest('[]')]), /not a JSON object/],
    [
      'of manifest version 2',
      zip([manifest('{"manifest_version":2,"name":"x","version":"1"}')]),
      /Manifest V2.*Chromium cannot run.*Manifest V3/,
    ],
    ['without a manifest version', zip([manifest('{"name":"x","version":"1"}')]), /must be 3/],
    ['without a name', zip([manifest('{"manifest_version":3,"version":"1"}')]), /no name/],
    [
      'that requires a permission that sessions do not grant',
      zip([manifest('{"manifest_version":3,"name":"x","version":"1","permissions":["tabs","debugger"]}')]),
      /requires the permission debugger/,
    ],
    ['without a version', zip([manifest('{"manifest_version":3,"name":"x"}')]), /no version/],
    ['with a parent path', zip([MANIFEST, { name: '../x' }]), /leads outside/],
    ['with a hidden parent path', zip([MANIFEST, { name: 'a/../../x' }]), /leads outside/],
    ['with an absolute path', zip([MANIFEST, { name: '/etc/passwd' }]), /absolute/],
    ['with a drive letter', zip([MANIFEST, { name: 'C:/x' }]), /odd name/],
    ['with backslashes', zip([MANIFEST, { name: '..\\x' }]), /odd name/],
    ['with a NUL in a name', zip([MANIFEST, { name: 'a\0b' }]), /odd name/],
    ['with a symbolic link', zip([MANIFEST, { name: 'x', content: '/etc/passwd', mode: 0o120777 }]), /link/],
    ['with a device', zip([MANIFEST, { name: 'x', mode: 0o020666 }]), /special file/],
    ['with an encrypted file', zip([MANIFEST, { name: 'x', flags: 1 }]), /encrypted/],
    [
      'with an unsupported compression method',
      zip([MANIFEST, { name: 'x', method: 12 }]),
      /other than "deflate"/,
    ],
    ['with too many files', zip([MANIFEST, ...many]), /more than 1000 files/],
    ['with too many folders', zip([MANIFEST, { name: `${'a/'.repeat(20)}x` }]), /nested deeper/],
    ['with a file twice', zip([MANIFEST, MANIFEST]), /twice/],
    [
      'with a file that is also a folder',
      zip([MANIFEST, { name: 'a' }, { name: 'a/b' }]),
      /file and a folder/,
    ],
    ['that unpacks to too much', zip([MANIFEST, { name: 'x', claimedSize: 17_000_000 }]), /more than 16 MB/],
    [
      'with an extreme compression ratio',
      zip([MANIFEST, { name: 'x', content: Buffer.alloc(900_000) }]),
      /compressed more than \d+ times/,
    ],
    [
      'that declares less than its real size',
      zip([MANIFEST, { name: 'x', content: 'abc', claimedSize: 1 }]),
      /damaged/,
    ],
    ['with contradictory headers', zip([MANIFEST, { name: 'x', localName: 'y' }]), /does not match/],
    ['that is truncated', zip([MANIFEST, SCRIPT]).subarray(10), /does not match|damaged|cut off/],
  ];
  for (const [name, archive, problem] of bad) {
    // Proves: extension.field
    it(`${name} is refused`, async () => {
      await assert.rejects(readExtension(archive), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'err_invalid_extension');
        assert.match(error.message, problem);
        return true;
      });
    });
  }

  it('is passed to Chromium with exactly the manifest that was checked', async () => {
    const text = `{
      // A comment, which Chromium allows.
      "manifest_version": 3, "name": "x", "version": "1", "action": { "default_title": "kept" },
      "a": "\u2028//", "permissions": ["debugger"], "b": "\u2028"
    }`;
    await assert.rejects(readExtension(zip([manifest(text)])), /requires the permission debugger/);
    // The identifier of one of the service's extensions, which have more rights. Chromium hashes any bytes
    // here.
    const key = Buffer.from('/run/extensions/bridge').toString('base64');
    const keyed = `{ "manifest_version": 3, "name": "x", "version": "1", "key": "${key}", "icons": {} }`;
    const files = await readExtension(zip([manifest(keyed)]));
    assert.deepEqual(JSON.parse(Buffer.from(files['manifest.json'] ?? '', 'base64').toString()), {
      ...{ manifest_version: 3, name: 'x', version: '1', icons: {} },
    });
  });

  it('is read in a time that does not depend on its manifest', async () => {
    // Each line break could start a comment, and none follows. The noise keeps the archive within its limits.
    const text = `{"manifest_version":3,"name":"${randomBytes(60_000).toString('hex')}","version":"1"${'\n'.repeat(8_000_000)}}`;
    assert.deepEqual(await names(zip([manifest(text)])), ['manifest.json']);
  });

  // Proves: extension archives are at most 1 MB, and harmless
  it('with any byte changed is refused or read, without a failure', async () => {
    const archive = zip([MANIFEST, SCRIPT]);
    for (let index = 0; index < archive.length; index++) {
      const changed = Buffer.from(archive);
      changed[index] = (changed[index] ?? 0) ^ 0xff;
      await readExtension(changed).catch((error: unknown) => {
        assert.equal((error as { code?: string }).code, 'err_invalid_extension');
      });
    }
  });
});

describe('a multipart body', () => {
  let service: TestService;
  beforeEach(async () => (service = await createTestService()));
  afterEach(() => service.close());

  async function post(form: FormData) {
    const request = new Request('http://x/', { method: 'POST', body: form });
    return service.app.inject({
      method: 'POST',
      url: '/v0/vm',
      headers: { authorization: API_KEY, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
  }

  const archive = () => new Blob([new Uint8Array(zip([MANIFEST, SCRIPT]))]);

  // Proves: extension.field
  it('has the parameters in its part "body" and the archive in the named part', async () => {
    const form = new FormData();
    form.set('ex', archive(), 'extension.zip');
    form.set('body', JSON.stringify({ fps: 30, extension: { field: 'ex' } }));
    assert.equal((await post(form)).statusCode, 200);
    const { fps, extension } = service.pool.last.session;
    assert.equal(fps, 30);
    assert.deepEqual(Object.keys(extension ?? {}), ['manifest.json', 'js/content.js']);
  });

  it('without the archive, or with an invalid one, gives a clear error', async () => {
    const form = new FormData();
    form.set('body', JSON.stringify({ extension: { field: 'ex' } }));
    const missing = await post(form);
    assert.equal(missing.statusCode, 400);
    assert.match(missing.body, /extension\.field must be the name of another part/);
    form.set('ex', new Blob(['nonsense']), 'x.zip');
    const wrong = await post(form);
    assert.deepEqual(codeOf(wrong), [400, 'err_invalid_extension']);
  });

  it('can omit the extension', async () => {
    const form = new FormData();
    form.set('body', '{"kiosk":true}');
    form.set('other', 'ignored');
    assert.equal((await post(form)).statusCode, 200);
    assert.equal(service.pool.last.session.kiosk, true);
  });
});
