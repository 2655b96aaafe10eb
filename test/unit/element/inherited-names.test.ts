import assert from 'node:assert/strict';
import { it } from 'node:test';
import { roleOf } from '../../../src/element/mirror/roles.js';
import { weightOf } from '../../../src/replay/replay-events.js';

/** Names that each object inherits. A newer session or recording may use them for other things. */
const INHERITED = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];

it('a role with the name of an inherited property is an unknown role', () => {
  assert.deepEqual(
    INHERITED.map((name) => roleOf(name)),
    INHERITED.map(() => undefined),
  );
});

it('an event with the name of an inherited property is an unknown event', () => {
  assert.deepEqual(
    INHERITED.map((name) => weightOf(name)),
    INHERITED.map(() => 'input'),
  );
});
