/**
 * Gives each failed `assert.ok` of a test a message. Without one, Node 20 searches the file for the text of
 * the expression, at the position in the compiled code. In a file that `tsx` has compiled, this position can
 * be behind the end of the file. Then Node searches for ever, and the run never ends. Load this module with
 * `--import`, before the tests.
 */
import assert from 'node:assert';
import { inspect } from 'node:util';

for (const functions of [assert, assert.strict]) {
  const { ok } = functions;
  functions.ok = (...args) => {
    if (args.length === 1) ok(args[0], `The value is not truthy: ${inspect(args[0])}`);
    else ok(...args);
  };
}
