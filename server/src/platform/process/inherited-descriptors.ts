import { closeSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes descriptors that this program inherited by accident, for example of a terminal, a lock or a pipe.
 * Otherwise every program that the service starts would inherit them too, including hosted browsers. Standard
 * input, output and error stay open. Descriptors that Node opened itself stay open too, because Node marks
 * them as not inheritable.
 *
 * @param keep other descriptors that this program needs
 */
export function closeInheritedDescriptors(keep: readonly number[] = []): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name);
    if (descriptor <= 2 || keep.includes(descriptor)) continue;
    try {
      const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))?.[1] ?? '';
      if ((parseInt(flags, 8) & O_CLOEXEC) === 0) closeSync(descriptor);
    } catch {
      // This descriptor was for reading the directory, and is already closed.
    }
  }
}
