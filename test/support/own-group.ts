import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Directories of the topmost groups in which memory is controlled, of version 2 and of version 1. */
const TOPS = ['/sys/fs/cgroup', '/sys/fs/cgroup/memory'];
const REMOVE_TRIES = 60;
const REMOVE_INTERVAL_MS = 50;

/**
 * Makes a control group for memory, in which a service is alone, as systemd does with `Delegate=yes`. Then
 * the service can swap out frozen sessions. Returns undefined if this process may not make one.
 */
export function ownGroup(): string | undefined {
  for (const top of TOPS) {
    const path = join(top, `cloud-browser-test-${process.pid}`);
    try {
      const version2 = top === TOPS[0];
      if (version2 && !readFileSync(join(top, 'cgroup.subtree_control'), 'utf8').includes('memory')) continue;
      mkdirSync(path);
      return path;
    } catch {
      // There is no such hierarchy, or it belongs to root.
    }
  }
  return undefined;
}

/** Removes a group with its subgroups. The kernel releases ended processes only after a moment. */
export async function removeGroup(path: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    try {
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory()) rmdirSync(join(path, entry.name));
      rmdirSync(path);
      return;
    } catch {
      await delay(REMOVE_INTERVAL_MS);
    }
  }
}

/** Returns a command that becomes the one behind it, inside a group. */
export function inGroup(path: string | undefined): string[] {
  return path === undefined ? [] : ['/bin/sh', '-c', `echo $$ > ${path}/cgroup.procs && exec "$@"`, 'sh'];
}
