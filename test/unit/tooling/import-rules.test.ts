import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkImports } from '../../../scripts/lib/import-rules.mjs';

const check = (files: Record<string, string>) => checkImports(new Map(Object.entries(files)));

describe('import rules', () => {
  it('a floor may import from a floor above it', () => {
    assert.deepEqual(check({ 'src/core/client.ts': `import { x } from '../protocol/index.js';` }), []);
  });

  it('a floor may not import from a floor below it', () => {
    assert.deepEqual(check({ 'src/protocol/a.ts': `import type { C } from '../core/client.js';` }), [
      'src/protocol/a.ts imports src/core/client.ts: protocol may import nothing outside itself.',
    ]);
  });

  it('media and input import neither each other nor the client', () => {
    const problems = check({
      'src/media/a.ts': `import '../input/b.js';`,
      'src/input/b.ts': `export * from '../core/c.js';`,
    });
    assert.equal(problems.length, 2);
  });

  it('a dynamic import counts', () => {
    assert.equal(check({ 'server/src/pool/a.ts': `await import('../host/b.js');` }).length, 1);
  });

  it('a comment does not count', () => {
    assert.deepEqual(
      check({ 'src/protocol/a.ts': `// import '../core/c.js';\n/* from '../core/d.js' */` }),
      [],
    );
  });

  it('adapters of the service do not import each other', () => {
    assert.equal(check({ 'server/src/auth/a.ts': `import { r } from '../registry/b.js';` }).length, 1);
  });

  it('the service reaches the SDK by its package name only', () => {
    const [problem] = check({
      'server/src/host/a.ts': `import { p } from '../../../src/protocol/index.js';`,
    });
    assert.match(problem ?? '', /import the package by its name/);
  });

  it('the files next to the areas of the service combine them, and no area imports those files', () => {
    const problems = check({
      'server/src/main.ts': `import './pool/a.js'; import './registry/b.js';`,
      'server/src/pool/a.ts': `import '../main.js';`,
    });
    assert.equal(problems.length, 2);
    assert.match(problems[0] ?? '', /^server\/src\/pool\/a\.ts imports server\/src\/main\.ts/);
    assert.match(problems[1] ?? '', /^Import cycle/);
  });

  it('a folder inside an area has rules of its own', () => {
    const [problem] = check({
      'server/src/host/stream/a.ts': `import type { Viewer } from '../room/viewers/viewer.js';`,
    });
    assert.equal(
      problem,
      'server/src/host/stream/a.ts imports server/src/host/room/viewers/viewer.ts: stream may import only capture, encode.',
    );
  });

  it('routes and the gateway do not import each other', () => {
    assert.equal(check({ 'server/src/gateway/a.ts': `import { x } from '../http/b.js';` }).length, 1);
    assert.equal(
      check({ 'server/src/http/routes/a.ts': `import { x } from '../../gateway/b.js';` }).length,
      1,
    );
  });

  it('a cycle is reported once, with all its files', () => {
    const problems = check({
      'src/core/a.ts': `import './b.js';`,
      'src/core/b.ts': `import './c.js';`,
      'src/core/c.ts': `import './a.js';`,
    });
    assert.deepEqual(problems, [
      'Import cycle: src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts.',
    ]);
  });

  it('a folder without rules is refused as soon as it imports another', () => {
    const [problem] = check({ 'src/extra/a.ts': `import '../core/b.js';` });
    assert.match(problem ?? '', /no entry in scripts\/lib\/import-rules\.mjs/);
  });
});
