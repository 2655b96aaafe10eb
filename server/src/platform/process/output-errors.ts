/**
 * Ignores errors of the standard output and of the standard error from now on. A write fails if the program
 * that reads the output has ended, or if the output is a file on a full disk. Without these listeners, the
 * error would end this process with all its sessions. Later writes succeed as soon as they are possible.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
