/**
 * Finds state that a test file leaves for later files in its process: replaced globals, fake timers, open
 * file handles. Such state makes a later file fail or hang, although that file is correct.
 */
import timers from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Values that tests replace, by their owner. A library may add its own globals permanently. */
const REPLACED = [
  [globalThis, ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'Date']],
  [globalThis, ['fetch', 'WebSocket', 'navigator', 'document', 'window']],
  [timers, ['setTimeout', 'setInterval', 'setImmediate']],
  [Date, ['now']],
  [Math, ['random']],
  [performance, ['now']],
  [process, ['cwd', 'kill', 'exit']],
];

/** Returns the current state that the files of one process share. */
export function sharedState() {
  const values = new Map(
    REPLACED.flatMap(([owner, names], at) => names.map((name) => [`${at} ${name}`, owner[name]])),
  );
  for (const [name, value] of Object.entries(process.env)) values.set(`process.env.${name}`, value);
  return values;
}

/** Returns the names of the values that have changed. */
export function changed(before, now = sharedState()) {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => name.replace(/^\d /, ''));
}

/** Throws if a file has changed the shared state. */
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

/** Throws if a file of this process has opened a file and not closed it. */
export async function assertNoHandleForgotten() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  if (leaked.length > 0)
    throw new Error(
      `A file of this process leaves what it opened to the garbage collector: ${leaked.join(' ')}`,
    );
}
