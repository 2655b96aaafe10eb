import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Hello, SessionUser } from 'cloud-browser/protocol';
import type { ClickedElement } from '../../../server/src/host/browser/pages/clicked-elements.js';
import { Dialogs } from '../../../server/src/host/browser/pages/dialogs.js';
import type { TabListener } from '../../../server/src/host/browser/pages/tab-watch.js';
import type { Feature, FeatureBrowser, FeatureParts } from '../../../server/src/host/features/feature.js';
import type { HostSession } from '../../../server/src/host-protocol.js';
import { recording } from '../../../server/src/host/features/recording/recording.js';
import { AGENT_DEFAULTS } from '../../../server/src/host/room/agents/agents.js';
import { Calls } from '../../../server/src/host/room/calls/calls.js';
import { SessionUsers } from '../../../server/src/host/room/users/session-users.js';
import type { Viewer } from '../../../server/src/host/room/viewers/viewer.js';
import type { StreamViewer } from '../../../server/src/host/stream/video-stream.js';
import { PartReader } from '../../../server/src/recording-protocol.js';
import { DEFAULT_SETTINGS } from '../../../server/src/sessions/settings/default-settings.js';
import { hostSessionOf } from '../../../server/src/sessions/settings/host-session.js';
import { NO_SECRETS } from '../../../server/src/sessions/settings/session-settings.js';
import { fakeClipboard } from '../../fakes/fake-clipboard.js';
import { featureParts } from '../../fakes/feature-parts.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const INPUT = { seq: 1, modifiers: 0 };

/** The feature in a session whose service reads the ends of recordings. */
function setUp(ring: HostSession['ring'] = null) {
  const clock = new ManualClock();
  const calls = new Calls(() => false);
  const users = new SessionUsers(calls, AGENT_DEFAULTS, clock);
  const viewers: StreamViewer[] = [];
  const reader = new PartReader();
  const state = {
    /** Number of each recording that has ended, and the reason. */
    ends: [] as [number: number, reason: string][],
    /** Events of all recordings, as text. */
    events: [] as string[],
    /** Called when the service has received the end of a recording. */
    onEnd: undefined as ((number: number) => void) | undefined,
    /** Called when a write is complete. */
    onWritten: (done: () => void): void => done(),
  };
  const feature = recording(
    featureParts({
      session: { ...hostSessionOf('s', DEFAULT_SETTINGS, NO_SECRETS, 'token'), ring },
      ...{ clock, calls, users },
      devices: {} as unknown as FeatureParts['devices'],
      streams: { size: { width: 64, height: 64 }, restart: () => undefined },
      frames: {
        ...{ remove: () => undefined, acknowledged: () => undefined },
        ...{ requestKeyFrame: () => undefined, refresh: () => undefined },
        add: (viewer) => void viewers.push(viewer),
      },
      openRecordingChannel: () => ({
        writableLength: 0,
        write: (message, done) => {
          for (const { number, part } of reader.push(Buffer.from(message)))
            if (part.type === 'event') state.events.push(String(part.data));
            else if (part.type === 'end') {
              state.ends.push([number, String(part.data)]);
              state.onEnd?.(number);
            }
          if (done) state.onWritten(done);
        },
      }),
    }),
  );
  const record = (number: number, fromRing = false, events = false) => {
    const order = { number, audio: false, fps: 5, events, maxSeconds: null, fromRing };
    feature.takeRecordingMessage?.({ type: 'record', order });
  };
  const end = (number: number) =>
    feature.takeRecordingMessage?.({ type: 'endRecording', number, reason: 'stopped' });
  /** Sends a picture without a size, which the muxer refuses. */
  const sendWrongPicture = (viewer: StreamViewer | undefined) => {
    const size = { width: 64, height: 64, codedWidth: 0, codedHeight: 0 };
    viewer?.send({ type: 'stream', stream: 1, media: 'h264', codec: 'avc1.42c01e', ...size });
    viewer?.sendFrame('video', 1, {
      ...{ data: Buffer.of(1), keyFrame: true, number: 1, refinement: false, captureTime: 0 },
      area: { x: 0, y: 0, width: 64, height: 64 },
    });
  };
  const untilEnd = async () => {
    while (state.ends.length === 0) await turn();
  };
  return { feature, users, viewers, state, record, end, untilEnd, sendWrongPicture };
}

/**
 * Starts a browser that names a clicked element when `nameElement` is called. `shown` gets the listener of
 * its tabs.
 */
function startBrowser(feature: Feature) {
  const [clipboard, dialogs] = [fakeClipboard(), new Dialogs()];
  const accessibilityActions: { onSet?: (value: string) => void } = {};
  let name: (element: ClickedElement) => void = () => undefined;
  const elementAt = () => new Promise<ClickedElement>((resolve) => (name = resolve));
  const clickedElements = { elementAt };
  const shown: { tabs?: TabListener } = {};
  feature.browserStarted?.({
    ...{ clickedElements, accessibilityActions, bridge: { open: () => Promise.resolve() } },
    devices: { clipboard, pages: { events: {}, dialogs } },
    watchTabs: (tabs: TabListener) => {
      shown.tabs = tabs;
      return () => undefined;
    },
  } as unknown as FeatureBrowser);
  const nameElement = (element: ClickedElement) => name(element);
  return { clipboard, dialogs, accessibilityActions, shown, nameElement };
}

describe('the recording of a session', () => {
  it('starts again as soon as the service has received the end of the last recording', async () => {
    const { feature, state, record, end, untilEnd } = setUp();
    state.onEnd = (number) => {
      if (number === 1) record(2);
    };
    record(1);
    end(1);
    await untilEnd();
    await feature.stop?.();
    assert.deepEqual(state.ends, [
      [1, 'stopped'],
      [2, 'session_ended'],
    ]);
  });

  it('reports that a user joined before it reports that the user got control', async () => {
    const { feature, users, state, record } = setUp();
    record(1, false, true);
    const viewer = { userId: 'ada', send: () => undefined } as unknown as Viewer;
    const ada = { id: 'ada', kind: 'person', controlling: true, roles: [], permissions: {} };
    users.roster.list = () => [ada as unknown as SessionUser];
    // The room reports the change of the roster first.
    feature.usersChanged?.();
    feature.viewerJoined?.(viewer, {} as Hello);
    users.roster.list = () => [];
    feature.usersChanged?.();
    feature.viewerLeft?.(viewer, { userIsGone: true, meant: true });
    users.roster.list = () => [ada as unknown as SessionUser];
    feature.usersChanged?.();
    feature.viewerJoined?.(viewer, {} as Hello);
    await feature.stop?.();
    const types = state.events.map((json) => (JSON.parse(json) as { type: string }).type);
    const joined = ['user_joined', 'control_gained'];
    assert.deepEqual(types, [...joined, 'control_lost', 'user_left', ...joined]);
  });

  it('has no title with text that a user has pasted, set, or entered into a dialog', async () => {
    const { feature, state, record } = setUp();
    const { clipboard, dialogs, accessibilityActions, shown } = startBrowser(feature);
    record(1, false, true);
    await clipboard.offer({}, new Map([['text/plain', Buffer.from('Paris')]]));
    accessibilityActions.onSet?.('Lisbon');
    dialogs.onRecorded?.(undefined, true, 'London');
    for (const title of ['Paris', 'Lisbon', 'London', 'Berlin']) shown.tabs?.onTitle('tab', title);
    await feature.stop?.();
    const said = state.events.join();
    assert.match(said, /Berlin/);
    assert.doesNotMatch(said, /Paris|Lisbon|London/);
  });

  it('contains what an agent does with an element by a script', async () => {
    const { feature, users, state, record } = setUp();
    startBrowser(feature);
    record(1, false, true);
    for (const element of ['click', 'set'] as const)
      users.agents.observer?.onAct({ id: 'robot', name: 'Robot' }, { element });
    await feature.stop?.();
    const said = state.events.join();
    for (const action of ['click', 'set'])
      assert.match(said, new RegExp(`"type":"accessible_action","user":"robot","action":"${action}"`));
  });

  it('continues when an earlier recording cannot be written', async () => {
    const { feature, viewers, state, record, end, untilEnd, sendWrongPicture } = setUp();
    record(1);
    sendWrongPicture(viewers[0]);
    end(1);
    record(2);
    await untilEnd();
    await feature.stop?.();
    assert.deepEqual(state.ends, [
      [1, 'storage'],
      [2, 'session_ended'],
    ]);
  });

  it('ends if its file cannot be written, and the host continues', async () => {
    const { feature, viewers, state, record, untilEnd, sendWrongPicture } = setUp();
    // A pipe completes a write later.
    state.onWritten = (done) => setImmediate(done);
    record(1);
    sendWrongPicture(viewers[0]);
    await untilEnd();
    record(2);
    await feature.stop?.();
    assert.deepEqual(state.ends, [
      [1, 'storage'],
      [2, 'session_ended'],
    ]);
  });

  it('ends with an error if the last seconds from memory cannot be written', async () => {
    const ring = { seconds: 5, audio: false, fps: 5, events: false };
    const { feature, viewers, state, record, end, sendWrongPicture } = setUp(ring);
    record(1);
    // After a recording, the host fills the ring again.
    end(1);
    sendWrongPicture(viewers[1]);
    record(2, true);
    await feature.stop?.();
    assert.deepEqual(state.ends, [
      [1, 'stopped'],
      [2, 'storage'],
    ]);
  });

  it('from memory has the titles, keys and clicks of the last second', async () => {
    const { feature, state, record } = setUp({ seconds: 5, audio: false, fps: 5, events: true });
    const { shown } = startBrowser(feature);
    for (let count = 1; count <= 10; count++) shown.tabs?.onTitle('tab', `Title ${count}`);
    const viewer = { userId: 'ada' } as unknown as Viewer;
    feature.userActed?.(viewer, { ...INPUT, type: 'text', text: 'x' });
    feature.userActed?.(viewer, { ...INPUT, type: 'button', pressed: true, button: 0, x: 3, y: 4 });
    feature.userActed?.(viewer, { ...INPUT, type: 'text', text: 'y' });
    record(1, true);
    await feature.stop?.();
    const said = state.events.join();
    assert.match(said, /Title 10/);
    assert.match(said, /click/);
    assert.equal(said.match(/typing/g)?.length, 2);
  });

  it('from memory has the name of an element that was clicked just before', async () => {
    const { feature, state, record, untilEnd } = setUp({ seconds: 5, audio: false, fps: 5, events: true });
    const { shown, nameElement } = startBrowser(feature);
    const viewer = { userId: 'ada' } as unknown as Viewer;
    feature.userActed?.(viewer, { ...INPUT, type: 'button', pressed: true, button: 0, x: 3, y: 4 });
    record(1, true);
    shown.tabs?.onOpened('tab');
    nameElement({ role: 'button', name: 'Save' });
    await untilEnd();
    const types = state.events.map((json) => (JSON.parse(json) as { type: string }).type);
    assert.deepEqual(types.slice(-1), ['click'], 'without the events after the order');
    assert.match(state.events.at(-1) ?? '', /"t":0,.*"name":"Save"/);
    record(2, true);
    await feature.stop?.();
    assert.equal(state.events.join().match(/"name":"Save"/g)?.length, 2);
  });

  for (const fromRing of [false, true])
    it(`ends with the session after the last ${fromRing ? 'seconds from memory' : 'parts'} are sent`, async () => {
      const { feature, state, record, end } = setUp();
      const written: (() => void)[] = [];
      state.onWritten = (done) => written.push(done);
      record(1, fromRing);
      if (!fromRing) end(1);
      let stopped = false;
      const stopping = Promise.resolve(feature.stop?.()).then(() => (stopped = true));
      while (written.length === 0) await turn();
      await turn();
      assert.equal(stopped, false);
      written[0]?.();
      await stopping;
      assert.deepEqual(state.ends, [[1, 'stopped']]);
    });
});
