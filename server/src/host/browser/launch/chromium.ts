import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace, HostSession } from '../../../host-protocol.js';
import { ManagedProcess } from '../../../platform/process/child-process.js';
import type { SessionLimits } from '../../../platform/session-limits.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import { BROWSER_SCORE, expendable, browserWalls } from '../../limits/kernel-walls.js';
import { SOUND_SOCKET, soundDirectory } from '../../audio/sound-card.js';
import type { DisplayAddress } from '../../display/x-server.js';
import {
  BROWSER_FILTER,
  browserSandbox,
  FREE_DESCRIPTOR,
  giveArguments,
  INNER_AUTHORITY,
  INNER_HOME,
  INNER_SOUND,
} from '../../sandbox/bubblewrap.js';
import { DISPLAY } from '../../sandbox/helper-sandbox.js';
import { prepareMemory } from '../../sandbox/no-exec.js';
import { giveFilter } from '../../sandbox/system-calls.js';
import type { OwnNetwork } from '../../sandbox/own-network.js';
import { chromiumArguments, CHROMIUM, restoresLater } from './arguments.js';
import { CdpConnection } from '../cdp/cdp-connection.js';
import { INNER_UPLOADS, uploadsDirectory } from '../files/file-places.js';
import type { DropCounter } from '../cdp/drop-counter.js';
import { sessionExtensions, type SessionExtensions } from './extensions.js';
import { browserLocale, type BrowserLocale } from './locale.js';
import { lastTabInFront } from './last-session.js';
import { writePolicies } from './policies.js';
import { writePreferences } from './preferences.js';

/**
 * Milliseconds from the request to end the browser until it is closed, if the profile is kept. In this time,
 * Chromium writes local storage to the disk. When it is closed, it may lose changes that it has not written.
 * The flag for local storage in `arguments.ts` limits the time to a second.
 */
export const WRITE_MS = 1_250;
/**
 * Timeouts for the browser to end. The first applies if the profile is not kept. The second applies if the
 * browser must write the complete profile. That usually takes less than a second, but much longer on a slow
 * machine. Only a browser that hangs needs the whole time.
 */
const CLOSE_TIMEOUT_MS = 1_500;
export const SAVE_TIMEOUT_MS = 15_000;
/**
 * Timeout of the command in {@link Chromium.answers}. The watchdog's limit is much shorter, so the watchdog
 * detects a hanging browser first.
 */
const ANSWER_TIMEOUT_MS = 60_000;

/** Files that the browser finds when it starts. */
export interface BrowserFilesAtStart {
  home: string;
  policies: string;
  uploads: string;
  locale: BrowserLocale;
  extensions: SessionExtensions;
  /** See {@link Chromium.restoredTab}. */
  restoredTab: number | undefined;
}

/**
 * Writes the files that the browser reads when it starts. This needs neither the display nor the network. So
 * the host can prepare both at the same time.
 */
export async function prepareFiles(session: HostSession, place: HostPlace): Promise<BrowserFilesAtStart> {
  const home = join(place.directory, 'browser');
  const policies = join(place.directory, 'policies');
  const uploads = uploadsDirectory(place.directory);
  const directories = [home, policies, uploads, soundDirectory(place.directory)];
  await Promise.all(directories.map((directory) => mkdir(directory, { recursive: true, mode: 0o700 })));
  const [locale, extensions, restoredTab] = await Promise.all([
    browserLocale(session.locale),
    sessionExtensions(session, place),
    restoresLater(session) ? lastTabInFront(home) : undefined,
    writePolicies(policies, session),
    writePreferences(home),
    prepareMemory(place.directory),
  ]);
  return { home, policies, uploads, locale, extensions, restoredTab };
}

/**
 * The hosted Chromium: sandboxed, unprivileged, on the session's display. Only the host has the pipe that
 * controls the browser.
 */
export class Chromium {
  private constructor(
    readonly process: ManagedProcess,
    readonly cdp: CdpConnection,
    /**
     * Index of the restored tab that becomes active in the first window. Undefined if no tabs are restored.
     */
    readonly restoredTab: number | undefined,
    private readonly keepsProfile: boolean,
  ) {}

  /**
   * Starts the browser. Resolves when it answers on its pipe.
   *
   * @param files the result of {@link prepareFiles} for this session
   */
  static async start(
    session: HostSession,
    limits: SessionLimits,
    place: HostPlace,
    display: DisplayAddress,
    network: OwnNetwork,
    files: BrowserFilesAtStart,
    drops: DropCounter,
  ): Promise<Chromium> {
    const { home, policies, uploads, locale, extensions, restoredTab } = files;
    const environment = {
      HOME: INNER_HOME,
      // The sandbox contains no programs that could be found.
      PATH: '/nonexistent',
      LANG: 'C.UTF-8',
      DISPLAY,
      XAUTHORITY: INNER_AUTHORITY,
      XDG_CONFIG_HOME: `${INNER_HOME}/.config`,
      XDG_CACHE_HOME: `${INNER_HOME}/.cache`,
      PULSE_SERVER: `unix:${INNER_SOUND}/${SOUND_SOCKET}`,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      DBUS_SYSTEM_BUS_ADDRESS: 'disabled:',
      // There is no desktop. Without this variable GTK would look for a desktop over D-Bus.
      GTK_USE_PORTAL: '0',
      NO_AT_BRIDGE: '1',
      // A renderer writes its own command line over these arguments and this environment. If they are too
      // short, the end of the command line is cut off. `endRenderer` searches for a flag at the end, so this
      // variable provides enough room.
      ROOM_FOR_COMMAND_LINES: '.'.repeat(2_048),
      ...locale.environment,
    };
    const sharesIpc = place.uid !== undefined;
    const user = { uid: place.uid ?? process.getuid?.() ?? 0, gid: place.gid ?? process.getgid?.() ?? 0 };
    const room = {
      ...{ directory: place.directory, user },
      ...{ home, policies, display, sharesIpc, network: 'joined' as const },
      sound: soundDirectory(place.directory),
      ...{ readOnly: { ...extensions.mounts, [INNER_UPLOADS]: uploads }, replaced: locale.texts },
    };
    const command = [
      ...[CHROMIUM, ...locale.arguments],
      ...(extensions.load.length > 0 ? [`--load-extension=${extensions.load.join(',')}`] : []),
      ...chromiumArguments(session, `${INNER_HOME}/profile`),
    ];
    // Descriptors 3 and 4 are the CDP pipe. The next two descriptors carry the filter of system calls and
    // bubblewrap's arguments.
    const sandbox = browserSandbox(room, environment, command);
    const guarded = [...expendable(BROWSER_SCORE), ...browserWalls(limits), ...sandbox.command];
    const inside = network.inside(guarded, FREE_DESCRIPTOR);
    const chromium = ManagedProcess.start({
      name: 'Chromium',
      command: inside.command,
      args: inside.args,
      env: { PATH: '/usr/bin:/bin' },
      cwd: place.directory,
      extraStdio: ['pipe', 'pipe', 'pipe', 'pipe', ...inside.descriptors],
    });
    giveFilter(chromium, BROWSER_FILTER);
    giveArguments(chromium, sandbox.args);
    const cdp = new CdpConnection(chromium.pipe(3), chromium.pipe(4), drops);
    try {
      await cdp.browser.send('Browser.getVersion', {});
    } catch (error) {
      await chromium.stop();
      throw new Error(`Chromium did not start. ${chromium.logTail}`, { cause: error });
    }
    return new Chromium(chromium, cdp, restoredTab, session.keepProfile);
  }

  /** Resolves when the browser has answered. Stays pending if the browser hangs. */
  async answers(): Promise<void> {
    await this.cdp.browser.send('Browser.getVersion', {}, ANSWER_TIMEOUT_MS);
  }

  /** Ends the browser: lets it write its profile, closes its pipe, then kills it if it still runs. */
  async stop(): Promise<void> {
    if (this.process.running) {
      if (this.keepsProfile) await this.#exits(WRITE_MS);
      this.cdp.browser.post('Browser.close', {});
      await this.#exits(this.keepsProfile ? SAVE_TIMEOUT_MS : CLOSE_TIMEOUT_MS);
    }
    this.cdp.close();
    await this.process.stop();
  }

  /** Resolves when the browser has exited, at the latest after some milliseconds. */
  async #exits(milliseconds: number): Promise<void> {
    await withTimeout(this.process.exited, milliseconds, () => undefined);
  }
}
