import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Role } from 'cloud-browser/protocol';
import { waitingTimers, type Clock, type Timer } from '../platform/time/clock.js';
import type { McpBrowser } from './mcp-browser.js';
import { mcpServer } from './mcp-server.js';
import { askService, remoteBrowser, type RemoteSession } from './remote-browser.js';

/** Session that the command uses, or the service in which the command starts a session. */
export type McpTarget = { session: RemoteSession } | { service: string; apiKey: string };

/**
 * Value of the time limit `inactive` for a session that this command starts, in seconds. So the session ends
 * even if the command is killed.
 */
const INACTIVE_SECONDS = 1_800;
/**
 * Roles of the application in a session that this command has started. The tools for files need the last two
 * roles, which programs do not have by default.
 */
const ROLES: readonly Role[] = ['control', 'chrome_apis', 'resize', 'file_download', 'file_upload'];

/**
 * Milliseconds for which the command still waits for the answer to its create request after a request to
 * stop. The answer contains the id of the session, which the command needs to end the session.
 */
const CREATE_ANSWER_MS = 10_000;
/**
 * Milliseconds for which this command waits for the end of its session. The application that started the
 * command waits for the command. If the service has received the request, it ends the session also without a
 * waiting client. Otherwise, the session ends after its time limit `inactive`.
 */
const END_ANSWER_MS = 10_000;
/** Description of the end of a session that the command could not end. */
const ENDS_LATER = `ends after ${INACTIVE_SECONDS / 60} minutes without use`;

type Timers = Pick<Clock, 'setTimeout'>;

/**
 * Serves MCP on the standard input and output until the input ends, or until a signal. If no session is
 * given, starts one, and ends that session at the end.
 *
 * @param tell prints a line for a person
 */
export async function runMcp(
  target: McpTarget,
  tell: (line: string) => void,
  clock: Timers = waitingTimers,
): Promise<void> {
  // Without these listeners, a signal during the start would end this process, but not the session.
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, resolve);
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const opened = await openUntil(closed, target, tell, clock);
  if (!opened) return;
  const { session, end } = opened;
  const browser: McpBrowser = remoteBrowser(session);
  try {
    const server = serveStdio(() => mcpServer(browser));
    await closed;
    await server.close();
  } finally {
    await end();
  }
}

/** The answer to a create request. */
interface Created {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

interface Opened {
  session: RemoteSession;
  end: () => Promise<void>;
}

/**
 * Same as {@link open}, but waits at most {@link CREATE_ANSWER_MS} after `closed` resolves. Resolves to
 * undefined if the service has not answered by then.
 */
async function openUntil(
  closed: Promise<void>,
  target: McpTarget,
  tell: (line: string) => void,
  clock: Timers,
): Promise<Opened | undefined> {
  const late = new AbortController();
  let waits = true;
  let timer: Timer | undefined;
  void closed.then(() => {
    if (!waits) return;
    tell(
      `Stopping. Waiting up to ${CREATE_ANSWER_MS / 1000} seconds for the service's answer, to end the new session.`,
    );
    timer = clock.setTimeout(() => late.abort(), CREATE_ANSWER_MS);
  });
  try {
    return await open(target, tell, clock, late.signal);
  } catch (error) {
    if (!late.signal.aborted) throw error;
    tell(`The service did not answer. If it has started a session, that session ${ENDS_LATER}.`);
    return undefined;
  } finally {
    waits = false;
    timer?.cancel();
  }
}

/** Starts a session if none is given. An aborted signal ends the wait for the service. */
async function open(
  target: McpTarget,
  tell: (line: string) => void,
  clock: Timers,
  signal: AbortSignal,
): Promise<Opened> {
  if ('session' in target) return { session: target.session, end: () => Promise.resolve() };
  const { service, apiKey } = target;
  const timeout = { inactive: INACTIVE_SECONDS, offline: null };
  const body = { automation: { keep_alive: true, name: 'MCP', roles: ROLES }, timeout };
  const created = await askService<Created>(`${service}/v0/vm`, apiKey, body, 'POST', signal);
  tell(`Watch the browser: ${created.embed_url}`);
  const [url = ''] = created.embed_url.split('?');
  return {
    session: { url, token: created.admin_token },
    end: async () => {
      const late = new AbortController();
      const timer = clock.setTimeout(() => late.abort(), END_ANSWER_MS);
      const address = `${service}/v0/vm/${created.session_id}`;
      try {
        await askService(address, apiKey, undefined, 'DELETE', late.signal);
      } catch (error) {
        tell(
          late.signal.aborted
            ? `The service has not confirmed the end of the session after ${END_ANSWER_MS / 1000} seconds. If the request did not arrive, the session ${ENDS_LATER}.`
            : `The command could not end the session: ${String(error)} If the session still runs, it ${ENDS_LATER}.`,
        );
      } finally {
        timer.cancel();
      }
    },
  };
}
