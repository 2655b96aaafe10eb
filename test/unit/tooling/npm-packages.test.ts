import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isInstalled as isInstalledWith, type Lockfile } from '../../../scripts/lib/npm-packages.mjs';

const lockfile = (packages: Lockfile['packages']): Lockfile => ({ packages });
const isInstalled = (wanted: Lockfile, installed: Lockfile, missing: string[] = []) =>
  isInstalledWith(wanted, installed, (path) => !missing.includes(path));
const WANTED = lockfile({ '': { version: '0.1.0' }, 'node_modules/a': { version: '1.0.0' } });

describe('isInstalled', () => {
  it('is true if every package of the lockfile is installed in its version', () => {
    assert.equal(isInstalled(WANTED, lockfile({ 'node_modules/a': { version: '1.0.0' } })), true);
  });

  it('is false if a package is missing', () => {
    assert.equal(isInstalled(WANTED, lockfile({})), false);
  });

  it('is false if a package has another version', () => {
    assert.equal(isInstalled(WANTED, lockfile({ 'node_modules/a': { version: '1.0.1' } })), false);
  });

  it('ignores an optional package for another platform', () => {
    const wanted = lockfile({ 'node_modules/native-arm64': { version: '1.0.0', optional: true } });
    assert.equal(isInstalled(wanted, lockfile({})), true);
  });

  it('is false if a package was deleted without npm, also in a workspace', () => {
    const wanted = lockfile({ server: {}, 'server/node_modules/a': { version: '1.0.0' } });
    assert.equal(isInstalled(wanted, wanted), true);
    assert.equal(isInstalled(wanted, wanted, ['server/node_modules/a']), false);
  });

  it('is false if the link to a workspace is missing', () => {
    const wanted = lockfile({ server: { version: '0.1.0' }, 'node_modules/server': { link: true } });
    assert.equal(isInstalled(wanted, lockfile({})), true);
    assert.equal(isInstalled(wanted, lockfile({}), ['node_modules/server']), false);
  });
});
