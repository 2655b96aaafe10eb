import { closeSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes descriptors that this program inherited by accident: of a terminal, a lock, or a pipe of the process
 * that started it. Otherwise every program that the service starts would have them too, including hosted
 * browsers. Standard input, output and error stay open. Descriptors that Node opened itself stay open too,
 * since Node marks them as not inheritable.
 *
 * @param keep others that are meant for this program
 */
export function closeInheritedDescriptors(keep: readonly number[] = []): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name);
    if (descriptor <= 2 || keep.includes(descriptor)) continue;
    try {
      const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))?.[1] ?? '';
      if ((parseInt(flags, 8) & O_CLOEXEC) === 0) closeSync(descriptor);
    } catch {
      // This was the directory being read, which is closed again.
    }
  }
}
