import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace, HostSession } from '../../../host-protocol.js';
import { ManagedProcess } from '../../../platform/child-process.js';
import type { SessionLimits } from '../../../platform/session-limits.js';
import { BROWSER_SCORE, expendable, browserWalls } from '../../limits/kernel-walls.js';
import { SOUND_SOCKET, soundDirectory } from '../../audio/sound-card.js';
import type { DisplayAddress } from '../../display/x-server.js';
import {
  BROWSER_FILTER,
  bubblewrapArgs,
  INNER_AUTHORITY,
  INNER_HOME,
  INNER_SOUND,
} from '../../sandbox/bubblewrap.js';
import { DISPLAY } from '../../sandbox/helper-room.js';
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

/** Enough to end; and to write everything that a profile keeps as well. */
const CLOSE_TIMEOUT_MS = 1_500;
const SAVE_TIMEOUT_MS = 2_500;
/** Far beyond what a watchdog waits: it is the one who decides. */
const ANSWER_TIMEOUT_MS = 60_000;

/** What the browser finds when it starts. */
export interface BrowserFilesAtStart {
  home: string;
  policies: string;
  uploads: string;
  locale: BrowserLocale;
  extensions: SessionExtensions;
  /** See {@link Chromium.restoredTab}. */
  restoredTab: number | undefined;
}

/** Writes what the browser finds when it starts: this needs neither display nor network, so it is done while those are made ready. */
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
  ]);
  return { home, policies, uploads, locale, extensions, restoredTab };
}

/** The hosted Chromium: sandboxed, unprivileged, on the session's display, driven by a pipe that only we hold. */
export class Chromium {
  private constructor(
    readonly process: ManagedProcess,
    readonly cdp: CdpConnection,
    /** The tab to bring to the front of those that its first window restores; undefined when it restores none. */
    readonly restoredTab: number | undefined,
    private readonly closeTimeoutMs: number,
  ) {}

  /**
   * Starts the browser; resolves when it answers on its pipe.
   *
   * @param files what {@link prepareFiles} made for this session
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
      // Nor are there any programs.
      PATH: '/nonexistent',
      LANG: 'C.UTF-8',
      DISPLAY,
      XAUTHORITY: INNER_AUTHORITY,
      XDG_CONFIG_HOME: `${INNER_HOME}/.config`,
      XDG_CACHE_HOME: `${INNER_HOME}/.cache`,
      PULSE_SERVER: `unix:${INNER_SOUND}/${SOUND_SOCKET}`,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      DBUS_SYSTEM_BUS_ADDRESS: 'disabled:',
      // Without a desktop, GTK would look for one over D-Bus.
      GTK_USE_PORTAL: '0',
      NO_AT_BRIDGE: '1',
      // A renderer's command line stands where these arguments and this environment were, and its end is cut off: see endRenderer.
      ROOM_FOR_COMMAND_LINES: '.'.repeat(2_048),
      ...locale.environment,
    };
    const sharesIpc = place.uid !== undefined;
    const room = {
      ...{ home, policies, display, sharesIpc, sound: soundDirectory(place.directory) },
      ...{ readOnly: { ...extensions.mounts, [INNER_UPLOADS]: uploads }, replaced: locale.texts },
    };
    const command = [
      ...[CHROMIUM, ...locale.arguments],
      ...(extensions.load.length > 0 ? [`--load-extension=${extensions.load.join(',')}`] : []),
      ...chromiumArguments(session, `${INNER_HOME}/profile`),
    ];
    // 3 and 4 are the CDP pipe, behind which the filter comes.
    const guarded = [...expendable(BROWSER_SCORE), ...browserWalls(limits), 'bwrap'];
    const inside = network.inside([...guarded, ...bubblewrapArgs(room, environment, command)], 6);
    const process = ManagedProcess.start({
      name: 'Chromium',
      command: inside.command,
      args: inside.args,
      env: { PATH: '/usr/bin:/bin' },
      cwd: place.directory,
      extraStdio: ['pipe', 'pipe', 'pipe', ...inside.descriptors],
    });
    giveFilter(process, BROWSER_FILTER);
    const cdp = new CdpConnection(process.pipe(3), process.pipe(4), drops);
    try {
      await cdp.browser.send('Browser.getVersion', {});
    } catch (error) {
      await process.stop();
      throw new Error(`Chromium did not start. ${process.logTail}`, { cause: error });
    }
    return new Chromium(process, cdp, restoredTab, session.keepProfile ? SAVE_TIMEOUT_MS : CLOSE_TIMEOUT_MS);
  }

  /** Resolves when the browser has answered, which one that hangs does not. */
  async answers(): Promise<void> {
    await this.cdp.browser.send('Browser.getVersion', {}, ANSWER_TIMEOUT_MS);
  }

  /** Ends the browser: lets it write its profile, closes its pipe, then insists. */
  async stop(): Promise<void> {
    if (this.process.running) {
      this.cdp.browser.post('Browser.close', {});
      const timeout = new Promise((resolve) => setTimeout(resolve, this.closeTimeoutMs));
      await Promise.race([this.process.exited, timeout]);
    }
    this.cdp.close();
    await this.process.stop();
  }
}
