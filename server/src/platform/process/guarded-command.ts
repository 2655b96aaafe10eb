/** Ids that a program switches to first. Set both or neither. */
export interface ProgramUser {
  uid?: number | undefined;
  gid?: number | undefined;
}

/**
 * Option of `prlimit` that prevents a crash from writing the program's memory to the machine's disk. With a
 * limit of one byte, the kernel writes no file, and passes no memory to a program that collects core dumps.
 * With other limits it would pass the memory on (`fs/coredump.c` in the kernel).
 */
export const NO_CORE = '--core=1:1';

/**
 * Returns the command for a program that does not outlive this process, and that cannot gain privileges. The
 * kernel kills it when this process dies (`setpriv --pdeathsig`, from util-linux).
 *
 * @param user the user of the program. Without ids, it is the user of this process
 */
export function guardedCommand(command: readonly string[], { uid, gid }: ProgramUser = {}): string[] {
  const become = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return ['setpriv', '--pdeathsig', 'KILL', ...become, '--no-new-privs', '--', ...command];
}
