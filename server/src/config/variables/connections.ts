import { AllowedOrigins } from '../../platform/network/origins.js';
import { entriesOf, hostAddress, integer, listenAddress, values } from './value-types.js';
import { variable } from './variable.js';

/** Variables for the service's address and for connections to the service. */
export const CONNECTION_VARIABLES = {
  PORT: variable(integer(0, 65_535), {
    default: 8_080,
    help: 'TCP port to listen on, or 0 for any free port',
  }),
  HOST: variable(listenAddress(), {
    default: '127.0.0.1',
    help: 'address to listen on',
    docs: 'With the default, only programs on this machine can connect',
  }),
  PUBLIC_URL: variable(hostAddress('https://browser.example.com'), {
    defaultText: 'from `HOST` and `PORT`',
    help: 'address under which viewers reach the service',
    docs: 'Embed URLs start with it. It needs its own host name. With the default `HOST` it is `http://localhost:PORT`',
  }),
  TRUST_PROXY: variable(integer(0, 10), {
    default: 0,
    help: 'number of reverse proxies in front of this service that set `X-Forwarded-For`',
    docs: "The service then reads the client's address from this header",
  }),
  ALLOWED_ORIGINS: variable(
    values('origins such as `https://example.com`, separated by commas', (value) =>
      AllowedOrigins.parse(entriesOf(value)),
    ),
    {
      defaultText: 'any',
      help: 'sites whose pages can show sessions',
      docs: 'See [below](#limits-on-connections-and-requests)',
    },
  ),
  MAX_CONNECTIONS: variable(integer(10, 100_000), {
    default: 2_000,
    help: 'connections that can be open at the same time, without those of viewers',
    docs: "Viewers' connections belong to their session",
  }),
  MAX_CONNECTIONS_PER_ADDRESS: variable(integer(2, 100_000), {
    default: 256,
    help: 'connections of one address that can be open at the same time, not used with `TRUST_PROXY`',
    docs: 'With `TRUST_PROXY` all connections come from proxies',
  }),
};
