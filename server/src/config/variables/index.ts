import { CONNECTION_VARIABLES } from './connections.js';
import { EGRESS_VARIABLES } from './egress.js';
import { FILE_VARIABLES } from './files.js';
import { KEY_VARIABLES } from './keys.js';
import { LIMIT_VARIABLES } from './limits.js';
import { NODE_VARIABLES } from './nodes.js';
import { SESSION_VARIABLES } from './sessions.js';
import type { Variables } from './variable.js';

/** Variables by theme, in the order of the help and the documentation. */
export const VARIABLE_GROUPS: readonly { title: string; variables: Variables }[] = [
  { title: 'Address and connections', variables: CONNECTION_VARIABLES },
  { title: 'Keys', variables: KEY_VARIABLES },
  { title: 'Sessions', variables: SESSION_VARIABLES },
  { title: 'Limits of each session', variables: LIMIT_VARIABLES },
  { title: 'Network access of hosted pages', variables: EGRESS_VARIABLES },
  { title: 'Files and log', variables: FILE_VARIABLES },
  { title: 'Several machines', variables: NODE_VARIABLES },
];

/** Variables that `loadConfig` copies into the configuration. It converts the values of some. */
export const GENERAL_VARIABLES = {
  ...CONNECTION_VARIABLES,
  ...KEY_VARIABLES,
  ...SESSION_VARIABLES,
  ...EGRESS_VARIABLES,
  ...FILE_VARIABLES,
};

/** Every variable that the service reads. An empty text counts as unset. */
export const VARIABLES: Variables = Object.fromEntries(
  VARIABLE_GROUPS.flatMap(({ variables }) => Object.entries(variables)),
);
