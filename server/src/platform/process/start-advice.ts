/** Messages of programs that could not start, and the advice for each. */
const ADVICE: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /Resource temporarily unavailable|\bEAGAIN\b|pthread_create/,
    'The limit of processes and threads is reached. Raise the limit of the user (ulimit -u, or LimitNPROC of systemd) or of the container (pids_limit, or TasksMax of systemd).',
  ],
  [
    /No space left on device|Disk quota exceeded|Read-only file system/,
    'The disk of RUNTIME_DIR is full or read-only. Free space there, or set RUNTIME_DIR to another directory.',
  ],
];

/**
 * Returns advice for the operator if the output of a program that did not start shows that a limit or a disk
 * is the reason. Undefined for other reasons.
 */
export function startAdviceOf(output: string): string | undefined {
  return ADVICE.find(([message]) => message.test(output))?.[1];
}

/**
 * Returns the reason why a child process was ended that did not report in time.
 *
 * @param milliseconds the time that it had
 */
export function notReadyIn(milliseconds: number): string {
  return `it was not ready after ${milliseconds / 1000} s. Either a signal has stopped it (SIGSTOP), or the machine has too little processor time`;
}
