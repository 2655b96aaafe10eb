import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { withoutBrackets } from '../../platform/network/host-name.js';
import { pinned } from '../../platform/network/addresses/pinned-lookup.js';
import type { EgressGuard } from '../guard.js';
import { RouteError } from '../route.js';

/** Longest script, in bytes. Chromium has the same limit. */
export const MAX_SCRIPT_BYTES = 1_048_576;
/** Timeout for the whole download: name, connection, TLS, answers. */
const LOAD_TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;

/**
 * Loads a proxy auto-configuration script. The address of the script is checked like the address of any other
 * request. Rejects with {@link RouteError}, or with the error of the guard.
 *
 * @param pac the address of a script (http, https or data), or the script itself
 */
export async function loadPacScript(guard: EgressGuard, pac: string): Promise<string> {
  if (/^data:/i.test(pac)) return textOf(pac);
  if (!/^https?:/i.test(pac)) return pac;
  const signal = AbortSignal.timeout(LOAD_TIMEOUT_MS);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => reject(new RouteError('The proxy script was not loaded in time.')),
      {
        once: true,
      },
    );
  });
  return Promise.race([download(guard, new URL(pac), signal, MAX_REDIRECTS), late]);
}

function textOf(address: string): string {
  const [, parameters = '', content = ''] = /^data:([^,]*),(.*)$/is.exec(address) ?? [];
  try {
    const text = decodeURIComponent(content);
    return /;\s*base64\s*$/i.test(parameters) ? Buffer.from(text, 'base64').toString('utf8') : text;
  } catch {
    throw new RouteError('The proxy script of this session cannot be read.');
  }
}

async function download(
  guard: EgressGuard,
  url: URL,
  signal: AbortSignal,
  redirects: number,
): Promise<string> {
  const secure = url.protocol === 'https:';
  const host = withoutBrackets(url.hostname);
  const addresses = await guard.addresses(host, Number(url.port) || (secure ? 443 : 80));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    (secure ? httpsGet : httpGet)(url, { agent: false, lookup: pinned(addresses), signal }, resolve).on(
      'error',
      ({ message }) => reject(new RouteError(`The proxy script cannot be loaded (${message}).`)),
    );
  });
  const { statusCode = 0, headers } = answer;
  const next = headers.location;
  if (statusCode >= 300 && statusCode < 400 && next !== undefined && URL.canParse(next, url.href)) {
    answer.destroy();
    const target = new URL(next, url);
    if (redirects === 0 || !/^https?:$/.test(target.protocol))
      throw new RouteError(
        'The address of the proxy script redirects too often, or redirects to an address that is not http or https.',
      );
    return download(guard, target, signal, redirects - 1);
  }
  if (statusCode !== 200) throw new RouteError(`The proxy script cannot be loaded (status ${statusCode}).`);
  return readText(answer);
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_SCRIPT_BYTES) throw new RouteError('The proxy script is longer than 1 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
