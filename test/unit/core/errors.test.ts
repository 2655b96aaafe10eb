import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type * as Errors from '../../../src/core/errors.js';
import { viteBuild } from '../../fakes/vite-build.js';

/** Imports the errors from a minified script, as pages load them. */
async function minifiedErrors(): Promise<typeof Errors> {
  const entry = fileURLToPath(new URL('../../../src/core/errors.ts', import.meta.url));
  const built = await viteBuild({
    ...{ configFile: false, logLevel: 'error', publicDir: false },
    build: { write: false, minify: true, lib: { entry, formats: ['es'] } },
  });
  const [chunk] = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  assert.ok(chunk?.type === 'chunk');
  return import(`data:text/javascript,${encodeURIComponent(chunk.code)}`) as Promise<typeof Errors>;
}

describe('the errors of the client', () => {
  it('keep their names in a minified script', async () => {
    const errors = await minifiedErrors();
    const made = [
      new errors.EmbedUrlError('x'),
      new errors.DisconnectedError('ended', 'x'),
      new errors.NotConnectedError(),
      new errors.UnsupportedError('x'),
      new errors.CallError('err_forbidden', 'x'),
      new errors.FileTransferError('x'),
      new errors.CallTimeoutError('x'),
    ];
    assert.deepEqual(
      made.map(({ name }) => name),
      [
        'EmbedUrlError',
        'DisconnectedError',
        'NotConnectedError',
        'UnsupportedError',
        'CallError',
        'FileTransferError',
        'CallTimeoutError',
      ],
    );
  });
});
