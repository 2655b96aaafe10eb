import { join } from 'node:path';

/**
 * Returns the environment of a service that a test starts on a free port, with its own directories.
 *
 * @param uidBase first of the thousand user ids of its sessions
 */
export function serviceEnvironment(directory: string, apiKey: string, uidBase: number) {
  return {
    PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: directory,
    LANG: 'C.UTF-8',
    PORT: '0',
    API_KEYS: apiKey,
    STATE_DIR: join(directory, 'state'),
    RUNTIME_DIR: join(directory, 'run'),
    SESSION_UID_BASE: `${uidBase}`,
    // Tests count processes, displays and places, and need the processor time.
    WARM_HOSTS: '0',
    WARM_BROWSERS: '0',
    // Allows sessions to open the hosted pages of the tests, but not the service itself.
    EGRESS_ALLOW: '127.0.0.1',
  };
}
