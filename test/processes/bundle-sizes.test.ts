import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { viteBuild } from '../fakes/vite-build.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bytes that a page downloads before its first use, compressed with gzip, which is about the transferred
 * size. Lower them with the code. Raise one only for a reason. Each contains 1 kB of `eventemitter3`. Each
 * except the replay contains 0.5 kB for the second connection on lines that lose packets, and 0.2 kB that
 * protect the client from listeners that throw. Each except the replay contains 0.1 kB that keep the names of
 * errors, and 0.25 kB that send input again which went into a dead connection. The element and the replay
 * report parts and files that do not load, which takes 0.4 kB. The element contains 0.5 kB that report a
 * connection which the page's policy forbids, and the embed page 0.3 kB: a reverse proxy can add a policy to
 * it. The replay contains 0.5 kB that keep position, playback and focus while the recording is loaded again.
 * The element and the embed page contain 0.1 kB that leave the focus where a user has put it, in a page
 * around their frame. The element contains 0.2 kB that keep the styles of the page off its texts, and 0.1 kB
 * that tell pages when the pointer has left. Each except the replay contains 0.05 kB for the state of a
 * stylus.
 */
const BUDGETS = {
  'server/dist/pages/element-script/element.js': 39_300,
  'server/dist/pages/replay-script/replay.js': 21_500,
  'server/dist/pages/embed-script/embed.js': 27_700,
  client: 12_900,
};

const zipped = (code: string | Uint8Array) => gzipSync(code, { level: 9 }).byteLength;

/** The headless client as a bundler includes it in a page, without lazily loaded code. */
async function bundledClient(): Promise<number> {
  const result = await viteBuild({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: join(ROOT, 'dist/core/client.js'), formats: ['es'] },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: { minify: { codegen: { removeWhitespace: true } } },
      },
    },
  });
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const first = outputs.find((each) => each.type === 'chunk' && each.isEntry);
  assert.ok(first?.type === 'chunk');
  assert.deepEqual(first.imports, []);
  return zipped(first.code);
}

describe('the download of a page before its first use', () => {
  for (const [what, budget] of Object.entries(BUDGETS))
    it(`is at most ${budget} bytes: ${what}`, async () => {
      const size = what === 'client' ? await bundledClient() : zipped(readFileSync(join(ROOT, what)));
      assert.ok(size <= budget, `${what} has ${size} bytes`);
      // A budget far above the actual size would hide growth.
      assert.ok(size > budget * 0.95, `${what} has only ${size} bytes: lower its budget`);
    });
});
