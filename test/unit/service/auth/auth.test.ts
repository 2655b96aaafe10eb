import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ApiKeys } from '../../../../server/src/auth/api-keys.js';
import {
  loadProfileKey,
  loadServerKey,
  ServerKeyError,
} from '../../../../server/src/platform/files/key-files.js';
import { DerivedTokens } from '../../../../server/src/auth/tokens.js';

const ID = '4f1d1c1a-0000-4000-8000-000000000000';
const OTHER = '4f1d1c1a-0000-4000-8000-000000000001';

describe('tokens', () => {
  const tokens = new DerivedTokens(Buffer.alloc(32, 1));

  it('have 32 bytes, are stable, and differ by kind, session, generation and server', () => {
    assert.equal(Buffer.from(tokens.embedToken(ID, 1), 'base64url').length, 32);
    assert.equal(tokens.embedToken(ID, 1), new DerivedTokens(Buffer.alloc(32, 1)).embedToken(ID, 1));
    const all = [
      tokens.embedToken(ID, 1),
      tokens.adminToken(ID, 1),
      tokens.embedToken(OTHER, 1),
      tokens.embedToken(ID, 2),
      new DerivedTokens(Buffer.alloc(32, 2)).embedToken(ID, 1),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('are valid only for their purpose', () => {
    assert.ok(tokens.opensEmbed(tokens.embedToken(ID, 1), ID, 1));
    assert.ok(tokens.opensAdmin(tokens.adminToken(ID, 1), ID, 1));
    assert.ok(!tokens.opensEmbed(tokens.adminToken(ID, 1), ID, 1));
    assert.ok(!tokens.opensAdmin(tokens.embedToken(ID, 1), ID, 1));
    assert.ok(!tokens.opensEmbed(tokens.embedToken(ID, 1), OTHER, 1));
    assert.ok(!tokens.opensEmbed(tokens.embedToken(ID, 1), ID, 2));
    assert.ok(!tokens.opensEmbed('', ID, 1));
  });
});

describe('API keys', () => {
  it('are accepted only in full, each of them', () => {
    const keys = new ApiKeys(['one', 'two']);
    assert.ok(keys.accepts('one') && keys.accepts('two'));
    for (const wrong of ['', 'on', 'onee', 'one,two', 'ONE']) assert.ok(!keys.accepts(wrong), wrong);
  });
});

describe('the server key', () => {
  it('is created once, readable only by its owner, even when two starts race', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-key-'));
    const [one, two] = await Promise.all([loadServerKey(directory), loadServerKey(directory)]);
    assert.equal(one.length, 32);
    assert.deepEqual(one, two);
    assert.deepEqual(await loadServerKey(directory), one);
    assert.equal((await stat(join(directory, 'server.key'))).mode & 0o777, 0o600);
    await rm(directory, { recursive: true });
  });

  it('is never replaced without an error', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-key-'));
    await writeFile(join(directory, 'server.key'), 'short');
    await assert.rejects(loadServerKey(directory), ServerKeyError);
    await rm(directory, { recursive: true });
  });
});

describe('the key of profiles', () => {
  it('is made with a warning if there are profiles that it does not open', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-key-'));
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    await loadProfileKey(directory, log);
    await mkdir(join(directory, 'profiles'));
    await writeFile(join(directory, 'profiles', `${ID}.profile`), '');
    await loadProfileKey(directory, log);
    assert.deepEqual(warnings, []);
    // As after a restore without the keys.
    await rm(join(directory, 'profile.key'));
    await loadProfileKey(directory, log);
    assert.deepEqual(warnings, ['a new key of profiles was made']);
    await rm(directory, { recursive: true });
  });
});
