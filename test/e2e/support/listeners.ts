import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** TCP ports on which a process listens in its own network namespace, IPv4 and IPv6. */
export function listeningPorts(pid: number): number[] {
  const sockets = new Set<string>();
  for (const descriptor of descriptorsOf(pid)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (inode !== undefined) sockets.add(inode);
    } catch {
      // The process closed the descriptor in the meantime.
    }
  }
  const ports: number[] = [];
  if (sockets.size === 0) return ports;
  for (const table of ['tcp', 'tcp6']) {
    const lines = tableOf(pid, table).trim().split('\n').slice(1);
    for (const line of lines) {
      const columns = line.trim().split(/\s+/);
      const port = columns[1]?.split(':')[1] ?? '';
      if (columns[3] === LISTEN && sockets.has(columns[9] ?? '')) ports.push(parseInt(port, 16));
    }
  }
  return ports;
}

/** Returns an empty list for a process that has ended. */
function descriptorsOf(pid: number): string[] {
  return unlessEnded(() => readdirSync(`/proc/${pid}/fd`), []);
}

/** Empty for a process that has ended. */
function tableOf(pid: number, table: string): string {
  return unlessEnded(() => readFileSync(`/proc/${pid}/net/${table}`, 'utf8'), '');
}

function unlessEnded<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ESRCH', 'EINVAL'].includes(String(error.code))
    )
      return nothing;
    throw error;
  }
}
