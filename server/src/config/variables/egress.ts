import { EgressRules, PUBLIC_ONLY } from '../../platform/network/egress-rules.js';
import { entriesOf, nameServers, values } from './value-types.js';
import { variable } from './variable.js';

/** Variables for the network access of hosted pages. */
export const EGRESS_VARIABLES = {
  EGRESS_ALLOW: variable(
    values(
      'names, addresses or networks such as 10.0.0.0/8, separated by commas, each optionally with `:port`',
      (value) => EgressRules.parse(entriesOf(value)),
    ),
    {
      default: PUBLIC_ONLY,
      defaultText: 'none',
      help: 'private hosts that hosted pages and webhooks can reach',
      docs: 'See [below](#network-access-of-hosted-pages)',
    },
  ),
  EGRESS_DNS: variable(nameServers(), {
    default: [],
    defaultText: "the system's",
    help: 'name servers for hosted pages',
  }),
};
