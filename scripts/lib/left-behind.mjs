/**
 * What a test file leaves behind for the files after it in its process: replaced globals, fake timers, open file handles. One that is
 * left makes a later file fail or hang, which then looks guilty.
 */
import timers from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What tests replace, by its owner. A library may add globals of its own for good. */
const REPLACED = [
  [globalThis, ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'Date']],
  [globalThis, ['fetch', 'WebSocket', 'navigator', 'document', 'window']],
  [timers, ['setTimeout', 'setInterval', 'setImmediate']],
  [Date, ['now']],
  [Math, ['random']],
  [performance, ['now']],
  [process, ['cwd', 'kill', 'exit']],
];

/** What files of one process share, as it is at this moment. */
export function sharedState() {
  const values = new Map(
    REPLACED.flatMap(([owner, names], at) => names.map((name) => [`${at} ${name}`, owner[name]])),
  );
  for (const [name, value] of Object.entries(process.env)) values.set(`process.env.${name}`, value);
  return values;
}

/** The names of what is not as it was. */
export function changed(before, now = sharedState()) {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => name.replace(/^\d /, ''));
}

/** Throws when a file has changed what others find. */
export function assertNothingLeft(before) {
  const names = changed(before);
  if (names.length > 0)
    throw new Error(
      `This file leaves ${names.join(', ')} changed for the files after it. Restore it in a hook.`,
    );
}

const leaked = [];
process.on('warning', ({ message }) => {
  if (/on garbage collection/.test(message)) leaked.push(message);
});

/** Throws when a file of this process has opened a file and forgotten it. */
export async function assertNoHandleForgotten() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  if (leaked.length > 0)
    throw new Error(
      `A file of this process leaves what it opened to the garbage collector: ${leaked.join(' ')}`,
    );
}
