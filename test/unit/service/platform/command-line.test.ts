import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCommandLine } from '../../../../server/src/config/command-line.js';

const none = { topic: undefined, help: false, check: false, version: false };

describe('the arguments of the command', () => {
  it('are one option, a topic, or a topic of the help', () => {
    assert.deepEqual(readCommandLine([]), none);
    for (const option of ['help', 'check', 'version'])
      assert.deepEqual(readCommandLine([`--${option}`]), { ...none, [option]: true });
    assert.deepEqual(readCommandLine(['-h']), { ...none, help: true });
    assert.deepEqual(readCommandLine(['mcp']), { ...none, topic: 'mcp' });
    for (const args of [
      ['--help', 'create'],
      ['create', '--help'],
    ])
      assert.deepEqual(readCommandLine(args), { ...none, topic: 'create', help: true });
    assert.equal(readCommandLine(['--check', '--help']).help, true);
  });

  it('are refused with the list of the right ones', () => {
    const calls = {
      '--chek': ['--chek'],
      '--x': ['--x=secret'],
      '-x': ['-x'],
      '--check': ['--check=no'],
      '--version': ['--check', '--version'],
      '--no-check': ['--no-check'],
      y: ['x', 'y'],
    };
    for (const [unknown, args] of Object.entries(calls))
      assert.throws(() => readCommandLine(args), {
        code: 'err_unknown_argument',
        message: `The argument "${unknown}" is not valid here. Use one of --check, --help, --help create, --help mcp, --version and mcp, or no argument.`,
      });
    assert.throws(() => readCommandLine(['mcp', '--check']), /"--check"/);
  });
});
