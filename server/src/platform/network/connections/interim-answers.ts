import type { ClientRequest } from 'node:http';

/** Maximum number of interim answers (status 1xx) to one request. Servers send very few. */
const MAX_INTERIM = 100;

/**
 * Ends a request with an error if its server sends too many interim answers. Node.js reads any number of
 * them, and as fast as they arrive, because nothing downstream slows them down. Endless interim answers would
 * use all processor time of the process.
 */
export function limitInterimAnswers(outgoing: ClientRequest): void {
  let count = 0;
  outgoing.on('information', () => {
    count += 1;
    if (count > MAX_INTERIM) outgoing.destroy(new Error('it sent too many interim answers'));
  });
}
