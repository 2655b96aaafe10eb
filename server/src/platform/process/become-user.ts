/** Switches to an unprivileged user permanently. Throws if the process is still root. */
export function becomeUser(uid: number, gid: number): void {
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() === 0 || process.geteuid?.() === 0) throw new Error('The process is still root.');
}
