import { once } from 'node:events';
import { createServer } from 'node:net';
import type { HostPlace } from '../../host-protocol.js';
import { OwnNetwork } from '../../host/sandbox/own-network.js';
import { BROWSER_PROXY_PORT } from '../../platform/network/browser-proxy.js';
import { ManagedProcess } from '../../platform/process/child-process.js';
import { CodedError } from '../../platform/coded-error.js';
import { portOf } from '../../platform/network/port.js';
import type { EgressProcess, ListenerHandle } from '../../pool/egress-process.js';

/** Hosted pages could reach this machine, so the service does not start. */
export class OpenNetworkError extends CodedError {
  readonly code = 'err_open_network';
}

/**
 * The check did not finish in time, for example on an overloaded machine. Without its result, the service
 * does not start.
 */
export class NetworkProofTimeout extends CodedError {
  readonly code = 'err_network_proof_timeout';
}

/**
 * Timeout in milliseconds for both attempts of {@link proveEgress} together. It is long enough for a busy
 * machine.
 */
const PROOF_TIMEOUT_MS = 60_000;

/** Part of the egress process that the check needs. */
export type ProvenEgress = Pick<EgressProcess, 'open' | 'protectService'>;

/**
 * Checks that hosted pages cannot reach this machine. Tries to reach a loopback port of this machine from a
 * network like that of a hosted browser, directly and through the proxy. Rejects if an attempt succeeds, or
 * if the proxy does not refuse the request.
 *
 * @param place place whose system user makes the attempt
 * @param timeLimit milliseconds for both attempts together
 */
export async function proveEgress(
  egress: ProvenEgress,
  { uid, gid }: Pick<HostPlace, 'uid' | 'gid'>,
  timeLimit: number = PROOF_TIMEOUT_MS,
): Promise<void> {
  let connections = 0;
  const target = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const port = portOf(target.address());
  // Makes the proxy refuse this port like the port of the service. Otherwise EGRESS_ALLOW could allow the
  // attempt, and the check would fail.
  egress.protectService(port);
  const become =
    uid === undefined ? [] : ['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--'];
  let close: (() => void) | undefined;
  let network: OwnNetwork | undefined;
  try {
    network = await OwnNetwork.open(become);
    close = egress.open((await network.listener) as ListenerHandle, null);
    const { answer, late } = await attempt(network, become, port, timeLimit);
    if (connections === 0 && late) {
      throw new NetworkProofTimeout(
        `The service does not start: the check that hosted pages cannot reach this machine did not finish within ${timeLimit / 1000} s.\n` +
          `${answer}\nStart again when the machine has less to do.`,
      );
    }
    if (connections > 0 || !/err_egress_refused: service/.test(answer)) {
      throw new OpenNetworkError(
        `Hosted pages could reach this machine, so the service does not start.\n${answer}\n` +
          'Report this with the version of your system.',
      );
    }
  } finally {
    close?.();
    network?.close();
    target.close();
  }
}

/**
 * Tries to connect to the port directly, and requests it from the proxy. `answer` is the output of both
 * attempts, which may be empty. `late` is true if the time limit ended the attempts.
 */
async function attempt(
  network: OwnNetwork,
  become: readonly string[],
  port: number,
  timeLimit: number,
): Promise<{ answer: string; late: boolean }> {
  const script = `
    (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>&1
    exec 3<>/dev/tcp/127.0.0.1/${BROWSER_PROXY_PORT}
    printf 'GET http://127.0.0.1:${port}/ HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n' >&3
    cat <&3`;
  const { command, args, descriptors } = network.inside(['bash', '-c', script], 3);
  const [program = '', ...rest] = [...become, command, ...args];
  const attempting = ManagedProcess.start({
    name: 'The attempt to reach this machine',
    command: program,
    args: rest,
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    extraStdio: descriptors,
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void attempting.stop();
  }, timeLimit);
  const { logTail } = await attempting.exited;
  clearTimeout(timer);
  return { answer: logTail, late };
}
