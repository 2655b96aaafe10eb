import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { until, within } from '../../walk/deadline.js';
import { isRecord } from '../../../server/src/platform/is-record.js';
import type { BuiltService } from '../../support/built-service.js';

/** Number of descriptors that stay free at first. */
const FEW = 8;
/** More connections than descriptors, by far. */
const CONNECTIONS = 40;
/** Milliseconds between two refills: freed descriptors are taken again. */
const REFILL_INTERVAL_MS = 20;
const ANSWER_LIMIT_MS = 20_000;

/** A service without free descriptors. */
export interface Exhaustion {
  /** Status and code of a create over an existing connection. */
  refusal: string;
  /** Gives the descriptors back. */
  end(): void;
}

/** Uses up all descriptors of a service. It sets a limit and opens idle connections up to the limit. */
export async function exhaustDescriptors({ pid, url, key }: BuiltService): Promise<Exhaustion> {
  const kept = await keptConnection(url);
  const before = limitOf(pid);
  const limit = limitFor(numbersOf(pid));
  setLimit(pid, limit);
  const sockets = new Set<Socket>();
  const fill = () => {
    while (sockets.size < CONNECTIONS) sockets.add(idleConnection(url, sockets));
  };
  fill();
  const refill = setInterval(fill, REFILL_INTERVAL_MS);
  const left = () => limit - numbersOf(pid).filter((number) => number < limit).length;
  await until('no descriptor is left', ANSWER_LIMIT_MS, () => left() <= 1);
  const refusal = await ask(kept, `${url}/v0/vm`, key).catch(String);
  return {
    refusal,
    end() {
      clearInterval(refill);
      setLimit(pid, before);
      for (const socket of sockets) socket.destroy();
      kept.destroy();
    },
  };
}

const numbersOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).map(Number);

/** The limit below which only a few numbers are free. */
function limitFor(used: readonly number[]): number {
  let free = 0;
  for (let limit = 0; ; limit++) {
    if (free === FEW) return limit;
    if (!used.includes(limit)) free += 1;
  }
}

function idleConnection(url: string, sockets: Set<Socket>): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
  return socket;
}

/** An agent with one connection that is open already. */
async function keptConnection(url: string): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const asking = request(`${url}/livez`, { agent }).end();
  const response = await responseTo(asking);
  response.resume();
  await once(response, 'end');
  return agent;
}

async function ask(agent: Agent, url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asking = request(url, { method: 'POST', agent, headers }).end('{"start_url": "about:blank"}');
  const response = await responseTo(asking);
  const answer: unknown = JSON.parse(await text(response));
  return `${response.statusCode} ${isRecord(answer) ? String(answer['code']) : ''}`;
}

async function responseTo(asking: ClientRequest): Promise<IncomingMessage> {
  const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
  // A connection may report its end twice.
  asking.on('error', () => undefined);
  return (await within('the service answers', ANSWER_LIMIT_MS, answered))[0];
}

function limitOf(pid: number): number {
  const text = execFileSync('prlimit', [`--pid=${pid}`, '--nofile', '--output=SOFT', '--noheadings']);
  return Number(text.toString());
}

/** The soft limit alone, so that it can be raised again. */
function setLimit(pid: number, soft: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${soft}:`]);
}
