import { readlinkSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createPacResolver } from 'pac-resolver';
import { QuickJS } from 'quickjs-wasi';
import { RunLimit } from './run-limit.js';
import { matchesShell } from './shell-pattern.js';

/** Messages from {@link PacThread} to its thread. */
export type ToPacThread =
  { type: 'find'; id: number; url: string } | { type: 'address'; id: number; address: string | null };

/** Messages from the thread. `answer` is empty if the script returns a value that is not text. */
export type FromPacThread =
  | { type: 'found'; id: number; answer: string }
  | { type: 'failed'; id: number; message: string }
  | { type: 'lookUp'; id: number; host: string };

/** Start data of the thread: the WebAssembly module of QuickJS and the customer's script. */
export interface PacThreadData {
  engine: Uint8Array<ArrayBuffer>;
  source: string;
}

/** Milliseconds of processor time that a script may use until it returns a result or looks up a name. */
const RUN_MS = 100;
/** Milliseconds of processor time for loading and compiling the script. */
const READ_MS = 1_000;
/**
 * Niceness of the thread above that of the process. A script may compute for 100 ms for each request, and
 * until its thread is ended if the engine cannot interrupt it. On a busy machine, the thread that serves all
 * sessions must get the processor first.
 */
const NICER = 10;
const MAX_NICENESS = 19;
/** Bytes of memory for a script. */
const MEMORY_BYTES = 32 * 1024 * 1024;
/**
 * Maximum number of characters of a script's result. The egress process parses a result for every request, on
 * the thread that serves all sessions. Long results would delay all sessions.
 */
const MAX_RESULT_CHARS = 16_384;
/** Maximum number of characters of a name to look up. No name of the DNS is longer (RFC 1035). */
const MAX_NAME_CHARS = 255;
/** Maximum number of characters of an error. The rest of the text is not passed on. */
const ERROR_CHARS = 200;

/** Main function of a thread that runs one customer's proxy auto-configuration script. */
async function main(): Promise<void> {
  lowerPriority();
  const { engine, source } = workerData as PacThreadData;
  const tell = (message: FromPacThread) => parentPort?.postMessage(message);
  const limit = new RunLimit();

  let lastLookup = 0;
  const lookups = new Map<number, (address: string | null) => void>();
  // The script can pass any value as `host`.
  const lookUp = async (host: unknown): Promise<string | null> => {
    if (typeof host !== 'string' || host.length > MAX_NAME_CHARS) return null;
    if (isIPv4(host)) return host;
    const id = ++lastLookup;
    const address = await new Promise<string | null>((resolve) => {
      lookups.set(id, resolve);
      tell({ type: 'lookUp', id, host });
    });
    limit.begin(RUN_MS);
    return address;
  };

  const vm = await QuickJS.create({
    wasm: engine,
    memoryLimit: MEMORY_BYTES,
    interruptHandler: () => limit.isReached,
  });
  limit.begin(READ_MS);
  const find = createPacResolver(vm, source, { sandbox: functions(lookUp) });

  const answer = async (id: number, url: string) => {
    try {
      limit.begin(RUN_MS);
      const found: unknown = await find(url);
      const result = typeof found === 'string' ? found : '';
      if (result.length > MAX_RESULT_CHARS) throw new Error('its result is too long');
      tell({ type: 'found', id, answer: result });
    } catch (error) {
      tell({ type: 'failed', id, message: textOf(error) });
    }
  };
  parentPort?.on('message', (message: ToPacThread) => {
    if (message.type === 'find') {
      void answer(message.id, message.url);
      return;
    }
    lookups.get(message.id)?.(message.address);
    lookups.delete(message.id);
  });
}

/** Lowers the priority of this thread, not of the whole process. Linux has priorities of threads. */
function lowerPriority(): void {
  try {
    // The link has the form `PID/task/TID`.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority() + NICER, MAX_NICENESS));
  } catch {
    // Without this file, the script runs with the priority of the process.
  }
}

/**
 * Returns replacements for functions of the PAC library that would look up names themselves, open
 * connections, or take unlimited time for a pattern.
 */
function functions(lookUp: (host: string) => Promise<string | null>) {
  return {
    alert: () => undefined,
    dnsResolve: lookUp,
    isResolvable: async (host: string) => (await lookUp(host)) !== null,
    isInNet: async (host: string, pattern: string, mask: string) => {
      const address = numberOf((await lookUp(host)) ?? '');
      const [network, bits] = [numberOf(pattern), numberOf(mask)];
      if (address === undefined || network === undefined || bits === undefined) return false;
      return (address & bits) === (network & bits);
    },
    myIpAddress: () => '127.0.0.1',
    shExpMatch: (text: unknown, pattern: unknown) => matchesShell(String(text), String(pattern)),
  };
}

/** Returns an IPv4 address as a number of 32 bits. Undefined for other texts. */
function numberOf(address: string): number | undefined {
  if (!isIPv4(address)) return undefined;
  return address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0);
}

/**
 * Returns the text of an error of a script. If the limit of time ended the script, the engine reports
 * `interrupted`.
 */
function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === 'interrupted' ? 'it computes for too long' : text.slice(0, ERROR_CHARS);
}

// Converts the error, because Node cannot read the text of an error that the QuickJS engine throws.
main().catch((error: unknown) => {
  throw new Error(textOf(error));
});
