import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, it } from 'node:test';

const MODULE = new URL('../../../../server/src/platform/process/output-errors.ts', import.meta.url).href;
/** Exit code of the program below if it survives its writes. */
const SURVIVED = 7;
/** Writes two lines to each output after its input has ended, and then ends. */
const SCRIPT = `
  import { once } from 'node:events';
  import { setImmediate as turn } from 'node:timers/promises';
  import { ignoreOutputErrors } from ${JSON.stringify(MODULE)};
  ignoreOutputErrors();
  process.stdin.resume();
  await once(process.stdin, 'end');
  for (let line = 0; line < 2; line++) {
    process.stdout.write('a line\\n');
    process.stderr.write('a line\\n');
    await turn();
  }
  process.exit(${SURVIVED});
`;

function program(output: 'pipe' | number): ChildProcess {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT];
  return spawn(process.execPath, args, { stdio: ['pipe', output, output] });
}

/** Lets a program write, and returns its exit code. */
async function codeOf(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit');
  child.stdin?.end();
  const [code] = (await exited) as [number | null];
  return code;
}

describe('a service whose output cannot be written', () => {
  it('continues if its output is a file on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = program(full);
    closeSync(full);
    assert.equal(await codeOf(child), SURVIVED);
  });

  it('continues after the program that reads its output has ended', async () => {
    const child = program('pipe');
    child.stdout?.destroy();
    child.stderr?.destroy();
    assert.equal(await codeOf(child), SURVIVED);
  });
});
