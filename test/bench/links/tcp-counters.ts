import { readFileSync } from 'node:fs';

/** Counters of the kernel that tell how TCP recovered lost packets. */
const NAMES = ['TCPLossProbes', 'TCPTimeouts', 'TCPSackRecovery'] as const;
export type TcpCounters = Record<(typeof NAMES)[number], number>;

/** Reads the counters of the network namespace of a process. */
export function tcpCounters(pid: number | 'self'): TcpCounters {
  const [names = '', values = ''] = readFileSync(`/proc/${pid}/net/netstat`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'));
  const columns = names.split(' ');
  const numbers = values.split(' ');
  const value = (name: string) => Number(numbers[columns.indexOf(name)] ?? 0);
  return {
    TCPLossProbes: value('TCPLossProbes'),
    TCPTimeouts: value('TCPTimeouts'),
    TCPSackRecovery: value('TCPSackRecovery'),
  };
}

/** Returns the sum of the counters of both sides since an earlier reading. */
export function countersSince(before: readonly TcpCounters[], after: readonly TcpCounters[]): TcpCounters {
  const sum = (name: keyof TcpCounters, readings: readonly TcpCounters[]) =>
    readings.reduce((total, reading) => total + reading[name], 0);
  const [first, second, third] = NAMES.map((name) => sum(name, after) - sum(name, before));
  return { TCPLossProbes: first ?? 0, TCPTimeouts: second ?? 0, TCPSackRecovery: third ?? 0 };
}
