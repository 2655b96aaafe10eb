import type { FastifyInstance } from 'fastify';
import type { Attempts } from '../../platform/rates/attempts.js';
import { clientAddress } from '../../platform/network/client-address.js';
import type { RefusalLog } from '../../platform/refusal-log.js';
import { ServiceError } from '../../service-error.js';
import { credentialOf } from './credential.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Call this before checking a credential. Throws {@link ServiceError} if the client's address has sent
     * too many wrong credentials. `credential` defaults to the credential in the header.
     */
    tryCredential(credential?: string): void;
    /** Call this if the credential was correct. */
    credentialWasRight(credential?: string): void;
    credentialTried: boolean;
  }
}

/**
 * Refuses clients that send too many wrong credentials, until some time has passed. Also logs the client of
 * each answer with the status 401 or 403.
 *
 * @param proxies number of the operator's reverse proxies in front of this service
 */
export function limitWrongCredentials(
  app: FastifyInstance,
  attempts: Attempts,
  proxies: number,
  refusals: RefusalLog,
): void {
  app.decorateRequest('credentialTried', false);
  app.decorateRequest('tryCredential', function (given?: string) {
    const credential = given ?? credentialOf(this);
    if (this.credentialTried || credential === undefined) return;
    const address = clientAddress(this.raw, proxies);
    if (!attempts.try(address, credential))
      throw new ServiceError('err_too_many_attempts', attempts.wait(address));
    this.credentialTried = true;
  });
  app.decorateRequest('credentialWasRight', function (given?: string) {
    const credential = given ?? credentialOf(this);
    if (credential !== undefined) attempts.right(clientAddress(this.raw, proxies), credential);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { statusCode: status } = reply;
    if (status === 401 || status === 403) {
      const address = clientAddress(request.raw, proxies);
      refusals.refused(address, { method: request.method, route: request.routeOptions.url, status });
    }
    done();
  });
}
