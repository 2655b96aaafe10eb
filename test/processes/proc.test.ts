import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../../server/src/platform/process/proc.ts', import.meta.url));
/** Opens files until no descriptor is free, then looks up its own process. */
const PROGRAM = `
import { openSync, writeSync } from 'node:fs';
import { processStatus } from ${JSON.stringify(MODULE)};
try {
  for (;;) openSync('/dev/null');
} catch {
  try {
    writeSync(1, processStatus(process.pid) ? 'running' : 'gone');
  } catch (error) {
    writeSync(1, error.code);
  }
}
`;

it('a process does not count as ended when no descriptor is free to check it', () => {
  const limited = ['--nofile=100', process.execPath, '--import', 'tsx', '--input-type=module', '-e', PROGRAM];
  assert.equal(execFileSync('prlimit', limited, { encoding: 'utf8' }), 'EMFILE');
});
