import type { SessionCreated } from 'cloud-browser/api';

/** Answer of a person to an agent. */
export interface PersonAnswer {
  outcome: 'done' | 'refused' | 'timeout' | 'withdrawn';
  /** Text of the person. */
  note: string;
}

interface Handoff extends Pick<PersonAnswer, 'note'> {
  id: string;
  outcome: PersonAnswer['outcome'] | null;
}

/**
 * Shows instructions to everyone who may control a session, and waits for an answer. The agent has no control
 * meanwhile.
 *
 * @param seconds after which the outcome is `timeout`
 */
export async function askPerson(
  { embed_url: embedUrl, admin_token: token }: SessionCreated,
  instructions: string,
  seconds = 900,
): Promise<PersonAnswer> {
  const [address = ''] = embedUrl.split('?');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, body?: object): Promise<Handoff> => {
    const response = await fetch(`${address}/handoffs${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The session answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Handoff;
  };
  let handoff = await call('', { instructions, timeout: seconds });
  while (handoff.outcome === null) handoff = await call(`/${handoff.id}?wait=25`);
  return { outcome: handoff.outcome, note: handoff.note };
}
