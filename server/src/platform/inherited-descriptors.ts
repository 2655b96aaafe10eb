import { closeSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes the descriptors that this program was started with by accident: a terminal's, a lock's, a pipe's of whoever started it. Every
 * program that we start would have them too, hosted browsers as well. Standard input, output and error stay, and so does what Node
 * has opened itself, which it marks as not to be handed on.
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
      // It was the directory that we read, which is closed again.
    }
  }
}
