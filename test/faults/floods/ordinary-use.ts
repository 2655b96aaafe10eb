import type { FloodOutcome } from '../../e2e/support/flooder.js';
import type { Session } from '../../e2e/support/service.js';
import { pause } from '../../walk/deadline.js';
import { Person } from '../../walk/person.js';
import type { FloodRow } from './rows.js';

const STEP_MS = 4;

/** Uses the SDK as a page does, for the row's time. Resolves to the reaction of the session. */
export async function useOrdinarily(session: Session, row: FloodRow): Promise<FloodOutcome> {
  const person = await Person.join(session);
  const start = performance.now();
  let sent = 0;
  try {
    const lasted = () => performance.now() - start;
    while (lasted() < row.seconds * 1_000) {
      for (; sent < (lasted() / 1_000) * row.perSecond; sent++) act(person, row.kind, sent);
      await pause(STEP_MS);
    }
    const { disconnection } = person.client;
    return { reason: disconnection?.reason, message: disconnection?.message ?? '', lasted: lasted(), sent };
  } finally {
    person.leave();
  }
}

function act({ client }: Person, kind: string, count: number): void {
  if (kind === 'mouse') client.sendInput({ type: 'move', modifiers: 0, x: count % 600, y: count % 400 });
  // On a busy machine a silence may be so long that the client reconnects.
  else client.resize(500 + (count % 120), 400).catch(() => undefined);
}
