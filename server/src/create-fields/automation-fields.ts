import { Type } from 'typebox';
import { expected } from './expected.js';
import { row } from './field-row.js';
import { ONE_ROLE, ROLE_LIST } from './values/roles.js';
import {
  STANDARD_AGENT_NAME,
  STANDARD_HOLD_SECONDS,
  type AutomationRequest,
} from './values/automation-request.js';

/** Creation fields for programs that drive the session. */
export const AUTOMATION_FIELDS = {
  automation: row({
    schema: Type.Unsafe<AutomationRequest>({
      anyOf: [
        { type: 'boolean' },
        {
          type: 'object',
          properties: {
            keep_alive: {
              ...{ type: 'boolean', default: false },
              description: 'Commands of agents restart the inactive and the offline timeout.',
            },
            hold_seconds: {
              ...{ type: 'number', minimum: 0, default: STANDARD_HOLD_SECONDS },
              ...expected('a number of seconds, 0 or more'),
              description: 'Seconds for which an acting command waits while a person has control.',
            },
            roles: {
              ...{ type: 'array', maxItems: 50, ...ROLE_LIST },
              items: { type: 'string', maxLength: 1_000, ...ONE_ROLE },
              description: 'Roles of agents, instead of the default roles.',
            },
            name: {
              ...{ type: 'string', minLength: 1, maxLength: 60, default: STANDARD_AGENT_NAME },
              description: 'Name of agents that viewers see.',
            },
          },
        },
      ],
      ...expected('true, false, or an object with keep_alive, hold_seconds, roles and name'),
    }),
    about:
      'Lets programs drive the session. The response then has `cdp_url`, an address for Playwright and Puppeteer. `true` uses the defaults. An object `{keep_alive, hold_seconds, roles, name}` changes them.',
    links: 'See [these fields](start/agents.md#1-start-a-session-with-automation).',
    shown: { standard: '`false`' },
    host: { automation: 'later' },
  }),
};
