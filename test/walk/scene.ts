import type { Person } from './person.js';
import type { Session } from '../e2e/support/service.js';
import type { HostileSite } from './site/hostile-site.js';

export const MODES = ['tabs', 'kiosk'] as const;
/** Mode of a session: pages with the browser around them, or one page alone. */
export type Mode = (typeof MODES)[number];

/** The people and the site that an act works with. */
export interface Scene {
  session: Session;
  mode: Mode;
  site: HostileSite;
  person: Person;
  /** A second person, while there is one. */
  guest: Person | undefined;
}
