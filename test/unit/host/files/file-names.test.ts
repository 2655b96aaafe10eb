import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeFolder, safeName } from '../../../../server/src/host/features/files/file-names.js';

test('a valid file name stays unchanged', () => {
  for (const name of ['a.txt', 'büro 2026 (1).pdf', '日本.tar.gz', '.profile', "it's: *?.txt", '-rf'])
    assert.equal(safeName(name), name);
});

test('no name leads to another directory', () => {
  for (const [name, safe] of [
    ['../../etc/passwd', 'passwd'],
    ['/etc/shadow', 'shadow'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['..', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['///', 'file'],
    [' ', 'file'],
    ['a\0b\nc\u007f', 'a_b_c_'],
    ['a\u202etxt.exe', 'a_txt.exe'],
    ['half \ud800', 'half \ufffd'],
  ] as const)
    assert.equal(safeName(name), safe, JSON.stringify(name));
});

test('a long name keeps its extension', () => {
  const name = safeName(`${'ü'.repeat(400)}.tar.gz`);
  assert.ok(Buffer.byteLength(name) <= 200);
  assert.match(name, /^ü+\.tar\.gz$|^ü+\.gz$/);
  assert.ok(Buffer.byteLength(safeName(`a.${'x'.repeat(400)}`)) <= 200);
});

test('a folder is placed inside the upload, and refused if its path is too long', () => {
  assert.deepEqual(safeFolder('photos/2026'), ['photos', '2026']);
  assert.deepEqual(safeFolder('/../..//etc/./x\\y'), ['_', '_', 'etc', '_', 'x', 'y']);
  assert.deepEqual(safeFolder(''), []);
  assert.equal(safeFolder('a/'.repeat(2_000)), undefined);
});
