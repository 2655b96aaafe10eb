import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isInstalled as isInstalledWith, type Lockfile } from '../../../scripts/lib/npm-packages.mjs';

const lockfile = (packages: Lockfile['packages']): Lockfile => ({ packages });
const isInstalled = (wanted: Lockfile, installed: Lockfile, missing: string[] = []) =>
  isInstalledWith(wanted, installed, (path) => !missing.includes(path));
const WANTED = lockfile({ '': { version: '0.1.0' }, 'node_modules/a': { version: '1.0.0' } });

describe('isInstalled', () => {
  it('is true when every package of the lockfile is there in its version', () => {
    assert.equal(isInstalled(WANTED, lockfile({ 'node_modules/a': { version: '1.0.0' } })), true);
  });

  it('is false when a package is missing', () => {
    assert.equal(isInstalled(WANTED, lockfile({})), false);
  });

  it('is false when a package has another version', () => {
    assert.equal(isInstalled(WANTED, lockfile({ 'node_modules/a': { version: '1.0.1' } })), false);
  });

  it('does not miss an optional package made for another machine', () => {
    const wanted = lockfile({ 'node_modules/native-arm64': { version: '1.0.0', optional: true } });
    assert.equal(isInstalled(wanted, lockfile({})), true);
  });

  it('is false when a package was removed behind the back of npm, those of a workspace too', () => {
    const wanted = lockfile({ server: {}, 'server/node_modules/a': { version: '1.0.0' } });
    assert.equal(isInstalled(wanted, wanted), true);
    assert.equal(isInstalled(wanted, wanted, ['server/node_modules/a']), false);
  });

  it('is false when the link to a workspace is missing', () => {
    const wanted = lockfile({ server: { version: '0.1.0' }, 'node_modules/server': { link: true } });
    assert.equal(isInstalled(wanted, lockfile({})), true);
    assert.equal(isInstalled(wanted, lockfile({}), ['node_modules/server']), false);
  });
});
