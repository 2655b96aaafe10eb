import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookReceiver } from '../../fakes/webhook-receiver.js';
import { ask, create } from '../../cluster/support/customer.js';
import type { NodeProcess } from '../../cluster/support/nodes.js';

/** State that a service stores, as its customers see it. */
export interface Kept {
  /** An ended session that saved a profile. */
  saved: string;
  /** A file in that profile. */
  content: Buffer;
  /** A session that was ended by a limit. The endpoint refused its event. */
  ended: string;
  eventKey: string;
  running: string;
  usage: unknown;
}

const TENANT = 'acme';
/** Size of the file that `about:fill-1` writes. */
const PART_BYTES = 2 ** 20;
const LOOK_INTERVAL_MS = 50;
const LOOKS = 200;

/** Directory in which a node keeps the files of its running sessions. */
export const runtimeOf = (directory: string) => join(directory, 'run');

/** Makes a service store data of each kind. The endpoint refuses events until a test changes its status. */
export async function fill(node: NodeProcess, directory: string, endpoint: WebhookReceiver): Promise<Kept> {
  const refused = new Promise<string>((resolve) => {
    endpoint.answer = (response, { headers }) => {
      response.writeHead(500).end();
      resolve(String(headers['idempotency-key']));
    };
  });
  const webhook = { url: endpoint.url, bearer: 'b' };
  const limited = create(node.url, { tenant_id: TENANT, timeout: { absolute: 5, webhook } });
  const saved = await create(node.url, { tenant_id: TENANT, profile: true, start_url: 'about:fill-1' });
  const content = await profileFile(directory);
  await end(node, saved.session_id);
  const { session_id: ended } = await limited;
  const eventKey = await refused;
  const running = await create(node.url, { tag: 'kept' });
  return {
    ...{ saved: saved.session_id, content, ended, eventKey, running: running.session_id },
    usage: await usageOf(node),
  };
}

/** Checks that a service has the records, the usage and the undelivered event of another one. */
export async function assertKept(node: NodeProcess, kept: Kept): Promise<void> {
  for (const [id, reason] of [
    [kept.saved, 'request'],
    [kept.ended, 'absolute'],
    [kept.running, 'crashed'],
  ] as const) {
    const { body } = await ask(node.url, 'GET', `/v0/vm/${id}`);
    const { state, termination_reason: told } = body as { state: string; termination_reason: string };
    assert.deepEqual([id, state, told], [id, 'ended', reason]);
  }
  assert.deepEqual(await usageOf(node), kept.usage);
  const again = await create(node.url, { tag: 'kept' });
  assert.notEqual(again.session_id, kept.running);
}

/** Resolves when the endpoint has received the undelivered event. */
export async function delivered(endpoint: WebhookReceiver, { eventKey }: Kept): Promise<void> {
  await new Promise<void>((resolve) => {
    endpoint.answer = (response, { headers }) => {
      response.end();
      if (headers['idempotency-key'] === eventKey) resolve();
    };
  });
}

/** Checks that a session starts with the profile as it was saved. */
export async function assertProfile(node: NodeProcess, directory: string, kept: Kept): Promise<void> {
  const { session_id: id } = await create(node.url, { profile: { load: kept.saved } });
  assert.ok(kept.content.equals(await profileFile(directory)));
  await end(node, id);
}

/** Checks that no session starts with the profile, because the key is missing. */
export async function assertUnreadable(node: NodeProcess, { saved }: Kept): Promise<void> {
  const { status, body } = await ask(node.url, 'POST', '/v0/vm', { body: { profile: saved } });
  assert.equal(status, 400);
  const { code, message } = body as { code: string; message: string };
  assert.equal(code, 'err_profile_unreadable');
  assert.match(message, /encrypted with another key/);
}

async function end(node: NodeProcess, id: string): Promise<void> {
  assert.equal((await ask(node.url, 'DELETE', `/v0/vm/${id}`)).status, 200);
}

async function usageOf(node: NodeProcess): Promise<unknown> {
  return (await ask(node.url, 'GET', `/v0/vm/usage?tenant_id=${TENANT}`)).body;
}

/**
 * The file that a scripted host writes into the only profile in use. The create responds before the host has
 * written it.
 */
async function profileFile(directory: string): Promise<Buffer> {
  const runtime = runtimeOf(directory);
  for (let look = 0; look < LOOKS; look++) {
    for (const place of await readdir(runtime)) {
      const path = join(runtime, place, 'browser', 'profile', 'part-0');
      const file = await readFile(path).catch(() => undefined);
      if (file?.length === PART_BYTES) return file;
    }
    await pause(LOOK_INTERVAL_MS);
  }
  throw new Error('No session has a profile.');
}
