import { pause, within } from '../../walk/deadline.js';
import type { Expected, Fault } from '../fault.js';
import { askForTabs, CALL_LIMIT_MS, hear, navigate, openWindow } from './firsts.js';
import {
  egressStruck,
  GOES_ON,
  HUNG_ALONE,
  LIMIT_S,
  RESTART_S,
  struck,
  WAITED_FOR,
  type Part,
} from './struck.js';

const STARTED_AGAIN: Expected = { ...GOES_ON, told: ['browser-crashed'] };
const HUNG: Expected = { ...GOES_ON, told: ['browser-hung'], within: LIMIT_S + RESTART_S };
const SOUND: Expected = { ...GOES_ON, told: ['sound-restarted'] };
const PICTURE: Expected = { ...GOES_ON, told: ['picture-restarted'] };
const NETWORK: Expected = { ...GOES_ON, told: ['network-restarted'], mayBeTold: WAITED_FOR };
const CHROMIUM_ENDED = /Chromium ended; starting again/;

/** A process that a signal stopped is continued and loses nothing. */
const resumed = (role: string): Expected => ({
  ...GOES_ON,
  told: ['browser-resumed'],
  mayBeTold: WAITED_FOR,
  logged: new RegExp(`${role} was stopped and is continued`),
});

/** Time from a request until its script certainly runs. */
const SCRIPT_RUNS_MS = 1_000;
const ENDLESS = 'http://endless.invalid/';

/** A customer's proxy script never answers for one address; it runs in a thread of the egress process. */
const ENDLESS_PROXY_SCRIPT: Fault = {
  name: 'proxy script without end',
  parameters: {
    http_proxy: {
      pac: `function FindProxyForURL(url, host) { if (url === '${ENDLESS}') for (;;); return 'DIRECT'; }`,
    },
  },
  async strike({ victim }) {
    await within('the tab goes', CALL_LIMIT_MS, victim.person.client.tabs.update(null, { url: ENDLESS }));
    await pause(SCRIPT_RUNS_MS);
  },
  first: navigate,
  expected: HUNG_ALONE,
};

/** A tone is played, so that the browser has a process for it. */
const PLAYING = { prepare: hear, first: hear };
/** The tabs were asked for, so that the extension runs. */
const ASKED = { prepare: askForTabs, first: askForTabs };

const KILLED: readonly Fault[] = [
  struck('Chromium', 'KILL', { ...STARTED_AGAIN, logged: CHROMIUM_ENDED }, { short: true }),
  struck('GPU process', 'KILL', { ...PICTURE, logged: /the GPU process ended/ }, { short: true }),
  struck("GPU process's broker", 'KILL', GOES_ON),
  struck('storage service', 'KILL', GOES_ON, { first: navigate }),
  struck('audio service', 'KILL', GOES_ON, PLAYING),
  struck('extension process', 'KILL', GOES_ON, ASKED),
  struck('crash handlers', 'KILL', GOES_ON),
  struck('zygote of services', 'KILL', { ...STARTED_AGAIN, logged: /a zygote ended/ }),
  struck('zygotes of pages', 'KILL', { ...STARTED_AGAIN, logged: /a zygote ended/ }, { short: true }),
  struck('Xorg', 'KILL', { ...STARTED_AGAIN, logged: /Xorg ended; starting again/ }, { short: true }),
  struck(
    'openbox',
    'KILL',
    { ...STARTED_AGAIN, logged: /openbox ended; starting again/ },
    { first: openWindow, short: true },
  ),
  struck(
    'PulseAudio',
    'KILL',
    { ...SOUND, logged: /PulseAudio ended; starting again/ },
    { first: hear, short: true },
  ),
  struck('sandbox of Chromium', 'KILL', { ...STARTED_AGAIN, logged: CHROMIUM_ENDED }, { short: true }),
  struck('sandbox of Xorg', 'KILL', { ...STARTED_AGAIN, logged: /Xorg ended; starting again/ }),
  struck('sandbox of openbox', 'KILL', { ...STARTED_AGAIN, logged: /openbox ended; starting again/ }),
  struck('sandbox of PulseAudio', 'KILL', { ...SOUND, logged: /PulseAudio ended/ }, { first: hear }),
  struck(
    'host',
    'KILL',
    { ...GOES_ON, session: 'ends: crashed', logged: /a session host stopped unexpectedly/ },
    { short: true },
  ),
  egressStruck('KILL', { ...NETWORK, logged: /egress process ended/ }, { first: navigate, short: true }),
];

/** Parts, with their names in the log. */
const STOPPABLE: readonly (readonly [part: Part, role: string, rest?: Partial<Fault>])[] = [
  ['Chromium', 'Chromium'],
  ['GPU process', 'The GPU process', { short: true }],
  ["GPU process's broker", 'A process of Chromium'],
  ['storage service', 'The storage service', { first: navigate }],
  ['audio service', 'The audio service', PLAYING],
  ['extension process', 'The extension process', ASKED],
  ['crash handlers', 'A process of Chromium'],
  ['zygote of services', 'A zygote'],
  ['zygotes of pages', 'A zygote'],
  ['Xorg', 'Xorg'],
  ['openbox', 'openbox', { first: openWindow }],
  ['PulseAudio', 'PulseAudio', { first: hear }],
  ['sandbox of Chromium', 'A sandbox'],
  ['sandbox of Xorg', 'A sandbox'],
  ['sandbox of openbox', 'A sandbox'],
  ['sandbox of PulseAudio', 'A sandbox'],
  ['host', 'a session host', { short: true }],
];

const STOPPED: readonly Fault[] = [
  ...STOPPABLE.map(([part, role, rest]) => struck(part, 'STOP', resumed(role), rest)),
  egressStruck('STOP', resumed('the egress process'), { first: navigate }),
];

/** Processes that do not answer, although no signal stopped them. */
const HELD: readonly Fault[] = [
  struck('Chromium', 'HOLD', { ...HUNG, logged: /Chromium does not answer/ }),
  struck('GPU process', 'HOLD', {
    ...PICTURE,
    ...{ mayBeTold: WAITED_FOR, within: LIMIT_S + RESTART_S, logged: /The GPU process does not answer/ },
  }),
  struck('Xorg', 'HOLD', { ...HUNG, logged: /Xorg does not answer/ }),
  struck('openbox', 'HOLD', { ...HUNG, logged: /openbox does not answer/ }, { first: openWindow }),
  struck('PulseAudio', 'HOLD', { ...SOUND, within: LIMIT_S + RESTART_S }, { first: hear }),
  // The host is ended in time. Its viewers notice at their next attempt to connect.
  struck('host', 'HOLD', { ...HUNG_ALONE, session: 'ends: crashed', logged: /host does not answer/ }),
  egressStruck(
    'HOLD',
    { ...NETWORK, within: LIMIT_S + RESTART_S, logged: /egress process (does not answer|ended)/ },
    { first: navigate },
  ),
];

/** Every process of a session except pages, and the process that sessions share. */
export const PART_ROWS: readonly Fault[] = [...KILLED, ...STOPPED, ...HELD, ENDLESS_PROXY_SCRIPT];
