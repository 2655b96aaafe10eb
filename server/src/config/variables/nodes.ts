import { databaseUrl } from './database-url.js';
import { hostAddress, integer, name, oneOf, values } from './value-types.js';
import { variable } from './variable.js';

/** Variables for several machines that work together. */
export const NODE_VARIABLES = {
  DATABASE_URL: variable(databaseUrl(), {
    secret: true,
    defaultText: 'none: files in `STATE_DIR`',
    help: 'database that several machines share',
    docs: 'Contains a secret. See [the database](#the-database)',
  }),
  DATABASE_CONNECTIONS: variable(integer(1, 1_000), {
    default: 10,
    help: 'connections that this machine can have to the database',
  }),
  CLUSTER_SECRET: variable(
    values('at least 32 characters, for example the output of `openssl rand -hex 32`', (value) =>
      value.length >= 32 ? value : undefined,
    ),
    {
      secret: true,
      defaultText: 'none',
      help: 'secret that all machines of a cluster share. Required if `DATABASE_URL` is set',
      docs: 'The service derives keys from it',
    },
  ),
  NODE_NAME: variable(name(), {
    defaultText: 'name of the machine and the port',
    help: 'name of this node, different from the names of all other nodes',
  }),
  NODE_URL: variable(hostAddress('http://10.0.0.7:8080'), {
    defaultText:
      "from `HOST` and `PORT`, or from the machine's first external IPv4 address if `HOST` is `0.0.0.0` or `::`",
    help: 'address under which other nodes reach this node',
  }),
  CLUSTER_MODE: variable(oneOf(['direct', 'gateway']), {
    default: 'gateway',
    help: 'target of embed URLs',
    docs:
      '`gateway`: the `PUBLIC_URL` of the node that received the create request. ' +
      "`direct`: the `PUBLIC_URL` of the session's own node",
  }),
  MAX_SESSIONS_PER_KEY: variable(integer(1, 1_000_000), {
    defaultText: 'no limit',
    help: 'sessions that one API key can have at once on all nodes',
    docs: 'Used with `DATABASE_URL`',
  }),
  MAX_SESSIONS_PER_TENANT: variable(integer(1, 1_000_000), {
    defaultText: 'no limit',
    help: 'sessions that one `tenant_id` can have at once on all nodes',
    docs: 'Used with `DATABASE_URL`',
  }),
};
