import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { SERVICE_PACKAGES } from '../../../scripts/lib/debian-packages.mjs';

interface Manifest {
  version: string;
  engines: { node: string };
  dependencies?: Record<string, string>;
  exports: Record<string, string | { types: string }>;
}
interface Lock {
  packages: Record<string, { resolved?: string; link?: boolean; engines?: { node?: string } }>;
}

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const sdk = JSON.parse(text('package.json')) as Manifest;
const server = JSON.parse(text('server/package.json')) as Manifest;
const lock = JSON.parse(text('package-lock.json')) as Lock;

describe('the two packages', () => {
  it('have one version and one minimum Node version', () => {
    assert.deepEqual([server.version, server.engines], [sdk.version, sdk.engines]);
  });

  it('do not depend on each other, because the service includes the SDK', () => {
    assert.deepEqual(
      [server.dependencies, Object.keys(sdk.dependencies ?? {})],
      [undefined, ['eventemitter3', 'lit']],
    );
  });

  it('are documented with the Debian packages that the service needs', () => {
    const line = SERVICE_PACKAGES.map(({ name }) => name).join(' ');
    assert.ok(text('server/README.md').includes(`--no-install-recommends ${line}\n`), line);
  });

  it('have the same licence', () => {
    assert.equal(text('server/LICENSE'), text('LICENSE'));
  });
});

describe('the types of the SDK', () => {
  const FOLDER = '/app/node_modules/cloud-browser';
  const entries = Object.entries(sdk.exports).flatMap(([name, entry]): [string, string][] =>
    typeof entry === 'string'
      ? []
      : [[name.replace(/^\./, 'cloud-browser'), entry.types.replace('.', FOLDER)]],
  );
  const files = new Set([`${FOLDER}/package.json`, ...entries.map(([, types]) => types)]);
  const host: ts.ModuleResolutionHost = {
    fileExists: (path) => files.has(path),
    readFile: (path) => (files.has(path) ? text('package.json') : undefined),
    directoryExists: () => true,
  };

  // Many projects still have `moduleResolution: node`, which ignores `exports`.
  for (const moduleResolution of ['node10', 'bundler'])
    it(`are found with moduleResolution ${moduleResolution}`, () => {
      const { options } = ts.convertCompilerOptionsFromJson({ moduleResolution }, '/app');
      const found = entries.map(([name]) => [
        name,
        ts.resolveModuleName(name, '/app/main.ts', options, host).resolvedModule?.resolvedFileName,
      ]);
      assert.deepEqual(found, entries);
    });
});

describe('the lockfile', () => {
  it('names no registry', () => {
    const named = Object.entries(lock.packages).filter(([, { resolved = '' }]) => resolved.includes('://'));
    assert.deepEqual(named, []);
  });

  it('has no package that warns on Node 20', () => {
    const newer = Object.entries(lock.packages).filter(([, { engines }]) =>
      /^>=\s*(2[1-9]|[3-9]\d)/.test(engines?.node ?? ''),
    );
    assert.deepEqual(
      newer.map(([path]) => path),
      [],
    );
  });
});
