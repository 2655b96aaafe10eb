import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ModuleFile } from '../../../../server/src/http/pages/module-file.js';
import { readPage } from '../../../../server/src/http/pages/page.js';

const root = await mkdtemp(join(tmpdir(), 'cloud-browser-built-'));
after(() => rm(root, { recursive: true }));

describe('a file of the build', () => {
  it('that is missing is reported as not built', async () => {
    const missing = { code: 'err_not_built' };
    await assert.rejects(readPage({ name: 'demo', directory: root }), missing);
    await assert.rejects(new ModuleFile(join(root, 'embed.js'), 'embed').integrity(), missing);
  });

  it('that cannot be read is reported with the reason, which the log contains', async () => {
    // A directory in the place of a file exists, but cannot be read.
    const unreadable = { code: 'EISDIR' };
    await mkdir(join(root, 'page', 'index.html'), { recursive: true });
    await mkdir(join(root, 'module.js'));
    await assert.rejects(readPage({ name: 'demo', directory: join(root, 'page') }), unreadable);
    await assert.rejects(new ModuleFile(join(root, 'module.js'), 'embed').integrity(), unreadable);
  });
});
