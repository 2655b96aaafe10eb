import { emulateMedia, sendKeys, setViewport } from '@web/test-runner-commands';
import '../../../src/replay/define.js';
import type { CloudBrowserReplayElement } from '../../../src/replay/cloud-browser-replay.js';
import type { CloudBrowserReplayEventMap } from '../../../src/replay/replay-element-events.js';
import axe from '../element/axe.js';
import { equal, ok } from '../support/assert.js';
import { HeldTimers } from '../support/held-timers.js';
import { brokenBody, EVENTS, FakeRecording } from './fake-recording.js';

let recording: FakeRecording;
let element: CloudBrowserReplayElement;
beforeEach(() => {
  recording = new FakeRecording();
  element = document.createElement('cloud-browser-replay');
  element.muted = true;
});
afterEach(async () => {
  element.remove();
  recording.restore();
  document.documentElement.lang = '';
  await emulateMedia({ forcedColors: 'none' });
  await setViewport({ width: 800, height: 600 });
});

const next = <Type extends keyof CloudBrowserReplayEventMap>(type: Type) =>
  new Promise<CloudBrowserReplayEventMap[Type]>((resolve) =>
    element.addEventListener(type, resolve, { once: true }),
  );

/** Resolves when a condition is true. The test's own timeout ends the wait. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
}

const line = (event: unknown) => new TextEncoder().encode(`${JSON.stringify(event)}\n`);
const find = (selector: string): HTMLElement => {
  const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
};
const all = (selector: string) => [...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const button = (name: string) => find(`button[aria-label="${name}"]`);

/** Shows the recording until its video can be played and this number of events is loaded. */
async function show(src = recording.src, events = EVENTS.length): Promise<void> {
  element.src = src;
  document.body.append(element);
  await until(() => (element.video?.readyState ?? 0) >= 2 && element.events.length === events);
  await element.updateComplete;
}

const seeked = async (act: () => void): Promise<number> => {
  const done = next('seeked');
  act();
  await done;
  await element.updateComplete;
  return Math.round(element.currentTime * 100) / 100;
};

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await sendKeys({ press: key });
  await element.updateComplete;
}

describe('<cloud-browser-replay>', () => {
  it('shows a picture of the recording before the playback', async () => {
    element.token = 'a secret';
    await show();
    const { pathname, search } = new URL(element.video?.poster ?? '');
    equal(`${pathname}${search}`, `${recording.src}/thumbnail.jpg?width=1280&token=a%20secret`);
  });

  it('loads a recording with its token, and tells its state', async () => {
    const states: string[] = [];
    element.addEventListener('statechange', ({ state, previous }) => states.push(`${previous} ${state}`));
    equal(element.state, 'idle');
    await show(`${recording.src}?token=secret`);
    equal(states, ['idle loading', 'loading ready']);
    equal(
      recording.requests.map(({ path, authorization }) => [path, authorization]),
      ['', '/events'].map((file) => [`${recording.src}${file}`, 'Bearer secret']),
    );
    ok(element.video?.src.endsWith('/video.mp4?token=secret'), element.video?.src);
    equal([Math.round(element.duration), element.currentTime, element.paused], [60, 0, true]);
    equal(find('.seek').getAttribute('aria-valuetext'), '0 seconds of 1 minute');
    equal(element.events.length, 7);
  });

  it('accepts the address of a file, and a token of its own', async () => {
    element.token = 'other';
    await show(`${recording.src}/video.mp4?token=secret`);
    ok(element.video?.src.endsWith('/recording/video.mp4?token=other'), element.video?.src);
  });

  it('starts at a time in the address or in the attribute', async () => {
    await show(`${recording.src}?t=12.5`);
    await until(() => element.currentTime === 12.5);
    element.setAttribute('start', '0:30');
    element.src = `${recording.src}?t=5`;
    await until(() => element.currentTime === 30);
    element.start = 7;
    element.src = `${recording.src}#t=1m`;
    await until(() => element.currentTime === 7);
    element.start = '';
    element.src = `${recording.src}?other#t=0m20s`;
    await until(() => element.currentTime === 20);
  });

  it('starts at the time in the address for a wrong start, and logs a warning', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: unknown) => void warnings.push(String(text));
    const load = async (start: string | number, time: string) => {
      element.start = start;
      const loaded = next('eventsload');
      element.src = `${recording.src}?t=${time}&start=${typeof start}${start}`;
      await loaded;
      return element.currentTime;
    };
    try {
      await show();
      for (const start of ['abc', '1m99x', '-5', -5, '0:75', '0:75:00', '0:05', ''])
        equal(await load(start, '5'), 5, String(start));
      equal(await load('', 'soon'), 0);
    } finally {
      console.warn = warn;
    }
    const said = warnings.flatMap(
      (text) => /^cloud-browser: ((?:start|t) is .*?)\. Use /.exec(text)?.[1] ?? [],
    );
    equal(said, [
      ...['"abc"', '"1m99x"', '"-5"', '-5', '"0:75"', '"0:75:00"'].map((value) => `start is ${value}`),
      't is "soon"',
    ]);
  });

  it('starts at a position that is set before the recording is loaded', async () => {
    element.start = 7;
    element.currentTime = 90;
    element.currentTime = 45;
    equal(element.currentTime, 45);
    await show();
    await until(() => element.video?.currentTime === 45);
    recording.status = 503;
    element.reload();
    await until(() => element.state === 'failed');
    element.currentTime = 20;
    recording.status = 200;
    element.reload();
    await until(() => element.video?.currentTime === 20);
    element.src = `${recording.src}?other`;
    await until(() => element.video?.currentTime === 7);
  });

  it('does not start at a position that was set for another recording', async () => {
    recording.status = 'never';
    element.currentTime = 45;
    element.src = recording.src;
    document.body.append(element);
    await until(() => recording.requests.length === 1);
    recording.status = 503;
    element.src = `${recording.src}?second`;
    await until(() => element.state === 'failed');
    equal(element.currentTime, 0);
    element.currentTime = 20;
    recording.status = 200;
    element.src = `${recording.src}?third`;
    await until(() => element.video?.readyState === 4);
    equal(element.currentTime, 0);
  });

  it('keeps a position that is set while the token of the recording is renewed', async () => {
    recording.status = 503;
    element.src = `${recording.src}?token=old`;
    document.body.append(element);
    await until(() => element.state === 'failed');
    element.currentTime = 20;
    element.src = `${recording.src}?token=new`;
    await element.updateComplete;
    equal(element.currentTime, 20);
  });

  it('keeps position, speed and playback when its token is renewed', async () => {
    await show(`${recording.src}?token=old`);
    element.speed = 2;
    await seeked(() => (element.currentTime = 20));
    await element.play();
    const places: (string | number)[] = [];
    element.addEventListener('statechange', ({ state }) => places.push(state, element.currentTime));
    const renew = async (change: () => void, token: string) => {
      places.length = 0;
      change();
      const place = element.currentTime;
      await until(() => element.video?.src.endsWith(`?token=${token}`) === true);
      ok(place >= 20 && place < 40, `${place}`);
      equal(places, ['loading', place, 'ready', place]);
      equal([element.paused, element.video?.playbackRate], [false, 2]);
    };
    await renew(() => (element.src = `${recording.src}?token=new`), 'new');
    await renew(() => (element.token = 'newer'), 'newer');
    element.src = `${recording.src}?other`;
    await until(() => element.video?.src.endsWith('?token=newer') === true && element.paused);
    equal([element.currentTime, element.paused], [0, true]);
  });

  it('keeps position and playback when its token expires, until the page has another one', async () => {
    await show(`${recording.src}?token=old`);
    await seeked(() => (element.currentTime = 20));
    await element.play();
    recording.videoStatus = 401;
    const failed = next('error');
    // The video of this test does not end with the token, so the test reports the error.
    element.video?.dispatchEvent(new Event('error'));
    await failed;
    const place = element.currentTime;
    ok(place >= 20 && place < 40, `${place}`);
    recording.videoStatus = 206;
    element.src = `${recording.src}?token=new`;
    await until(() => element.state === 'ready');
    equal([element.currentTime, element.paused], [place, false]);
  });

  it('ignores a position without a value, and warns about one that is no number', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: unknown) => void warnings.push(String(text));
    const set = (value: unknown) => {
      Reflect.set(element, 'currentTime', value);
      return element.currentTime;
    };
    try {
      element.currentTime = 20;
      equal([undefined, null, NaN, 'soon'].map(set), [20, 20, 20, 20]);
      await show();
      await until(() => element.video?.currentTime === 20);
      equal([undefined, null, NaN, 'soon'].map(set), [20, 20, 20, 20]);
      equal(await seeked(() => set('30')), 30);
    } finally {
      console.warn = warn;
    }
    const said = warnings.flatMap(
      (text) => /^cloud-browser: (currentTime is .*?)\. Use /.exec(text)?.[1] ?? [],
    );
    const twice = ['currentTime is NaN', 'currentTime is "soon"'];
    equal(said, [...twice, ...twice]);
  });

  it('starts at a position that is set directly after another address', async () => {
    await show();
    element.src = `${recording.src}?other`;
    element.currentTime = 30;
    await element.updateComplete;
    await until(() => element.video?.readyState === 4);
    equal(element.currentTime, 30);
  });

  it('starts at the start if a framework sets the position to 0 first', async () => {
    element.start = 7;
    element.currentTime = 0;
    await show();
    equal(element.currentTime, 7);
  });

  it('starts at the end for a position after the end', async () => {
    element.currentTime = 1_000;
    await show();
    await until(() => Math.round(element.video?.currentTime ?? 0) === 60);
    equal(Math.round(element.currentTime), 60);
  });

  it('has no position after the end, also before the video is loaded', async () => {
    element.start = 1_000;
    element.src = recording.src;
    document.body.append(element);
    await next('statechange');
    await next('statechange');
    equal([element.state, element.currentTime, element.duration], ['ready', 60, 60]);
    element.currentTime = 2_000;
    equal(element.currentTime, 60);
  });

  it('plays, pauses and repeats the events of the video', async () => {
    await show();
    const played = next('play');
    button('Play').click();
    await played;
    await next('timeupdate');
    ok(element.matches(':state(playing)'));
    const paused = next('pause');
    button('Pause').click();
    await paused;
    equal(element.paused, true);
    const ended = next('ended');
    element.currentTime = 59.5;
    await element.play();
    await ended;
  });

  it('is used with the keyboard', async () => {
    await show();
    element.focus();
    equal(element.shadowRoot?.activeElement, button('Play'));
    equal(await seeked(() => void press('ArrowRight')), 5);
    equal(await seeked(() => void press('l')), 15);
    equal(await seeked(() => void press('j')), 5);
    equal(await seeked(() => void press('ArrowLeft')), 0);
    equal(await seeked(() => void press('End')), 60);
    equal(await seeked(() => void press('Home')), 0);
    equal(await seeked(() => void press('.')), 0.07);
    equal(await seeked(() => void press(',')), 0);
    await press('>', '>');
    equal([element.speed, element.video?.playbackRate], [2, 2]);
    await press('<', '<', '<', '<');
    equal(element.speed, 0.5);
    await press('c');
    equal(element.captions, true);
    const played = next('play');
    await press('k');
    await played;
    find('.seek').focus();
    const paused = next('pause');
    await press('Space');
    await paused;
  });

  it('keeps the speed within its limits, for the next recording too', async () => {
    await show();
    for (const [given, used] of [
      [100, 8],
      [0, 0.5],
      [NaN, 1],
      [4, 4],
    ] as const) {
      element.speed = given;
      await element.updateComplete;
      equal(element.video?.playbackRate, used);
    }
    element.src = `${recording.src}?again`;
    await until(() => element.video?.readyState === 4);
    equal(element.video?.playbackRate, 4);
  });

  it('reads a speed that a template sets as a text', async () => {
    Reflect.set(element, 'speed', '2');
    await show();
    equal([element.speed, element.video?.playbackRate], [2, 2]);
  });

  it('shows chapters, marks and idle time on the timeline', async () => {
    await show();
    equal(all('.track .cut').length, 1);
    const left = Number.parseFloat(find('.track .cut').style.left);
    ok(Math.abs(left - 35) < 0.1, `${left}`);
    equal(all('.marks .marker').length, 1);
    equal(all('.marks .problem').length, 1);
    const idle = all('.track .idle').map(({ style }) => [style.left, style.width].map(Number.parseFloat));
    equal(idle.length, 2);
    ok(Math.abs((idle[0]?.[0] ?? 0) - 6.667) < 0.1, JSON.stringify(idle));
    await seeked(() => (element.currentTime = 30));
    equal(find('.chapter').textContent.trim(), 'Payment');
  });

  it('lists events that go to their time, and marks the current one', async () => {
    element.eventList = true;
    await show();
    equal(all('.events button').length, 7);
    ok(find('.events').textContent.includes('User 2'));
    const marker = all('.events button').find((row) => row.textContent.includes('Payment'));
    equal(await seeked(() => marker?.click()), 21);
    equal(find('[aria-current]'), marker);
    marker?.focus();
    await press('ArrowDown');
    ok(element.shadowRoot?.activeElement?.textContent.includes('Typing'));
    ok(!find('.events').textContent.includes('undefined'));
  });

  it('names agents, and counts the other users', async () => {
    const events = [
      { t: 0, type: 'user_joined', user: 'a' },
      { t: 1, type: 'agent_connected', user: 'b', name: 'Helper' },
      { t: 2, type: 'click', user: 'b', name: 'Save' },
      { t: 3, type: 'handoff_requested', handoff: 'h', agent: 'b' },
      { t: 4, type: 'handoff_ended', handoff: 'h', agent: 'b', outcome: 'done', user: 'a' },
      { t: 5, type: 'agent_connected', user: 'c', name: '' },
      { t: 6, type: 'agent_disconnected', user: 'c' },
    ];
    recording.events = events.map((each) => JSON.stringify(each)).join('\n');
    element.eventList = true;
    await show(recording.src, events.length);
    const rows = all('.events button').map((row) =>
      [...row.querySelectorAll('span')].map(({ textContent }) => textContent).join('|'),
    );
    equal(rows, [
      'User joined||User 1',
      'Agent connected|Helper',
      'Click|Save|Agent Helper',
      'Help requested||Agent Helper',
      'Help ended|done|User 1',
      'Agent connected||Agent 3',
      'Agent disconnected||Agent 3',
    ]);
    document.documentElement.lang = 'de';
    await until(() => find('.events').textContent.includes('Person 1'));
    ok(find('.events').textContent.includes('Agent Helper'));
  });

  for (const name of ['W'.repeat(64), 'The assistant of the accounting department'])
    it(`separates what happened from a long name of an agent: ${name}`, async () => {
      await setViewport({ width: 1280, height: 720 });
      const events = [
        { t: 0, type: 'agent_connected', user: 'a', name },
        { t: 1, type: 'user_joined', user: 'b' },
        { t: 2, type: 'control_gained', user: 'a' },
        { t: 3, type: 'x'.repeat(40), user: 'a' },
      ];
      recording.events = events.map((each) => JSON.stringify(each)).join('\n');
      element.eventList = true;
      await show(recording.src, events.length);
      for (const row of all('.events button').slice(2)) {
        const text = new Range();
        text.selectNodeContents(row.querySelector('.what') ?? row);
        const user = row.querySelector('.user')?.getBoundingClientRect();
        const { right } = text.getBoundingClientRect();
        ok(user && user.width > 60 && right + 8 <= user.left, `${right} ${JSON.stringify(user)}`);
      }
    });

  it('shows names and titles without characters that turn their direction', async () => {
    const events = [
      { t: 0, type: 'agent_connected', user: 'a', name: '\u202eHelper' },
      { t: 1, type: 'user_joined', user: 'b' },
      { t: 2, type: 'marker', name: 'Pay\u202etnem', user: 'a' },
    ];
    recording.events = events.map((each) => JSON.stringify(each)).join('\n');
    element.eventList = true;
    element.captions = true;
    await show(recording.src, events.length);
    const texts = all('.events button').map((row) =>
      [...row.querySelectorAll('span')].map(({ textContent }) => textContent).join('|'),
    );
    equal(texts, ['Agent connected|Helper', 'User joined||User 2', 'Marker|Paytnem|Agent Helper']);
    await seeked(() => (element.currentTime = 30));
    equal(find('.chapter').textContent.trim(), 'Paytnem');
    const cues = [...(element.video?.textTracks[0]?.cues ?? [])].map((cue) => (cue as VTTCue).text);
    equal(cues.at(-1), 'Marker · Paytnem · Agent Helper');
    const { right, top } = find('.timeline').getBoundingClientRect();
    find('.timeline').dispatchEvent(new PointerEvent('pointermove', { clientX: right - 50, clientY: top }));
    await element.updateComplete;
    equal(find('.tip span').textContent, 'Paytnem');
  });

  it('names roles and counts of characters in the language of the page', async () => {
    const click = { type: 'click', user: 'a', x: 1, y: 2, button: 0 };
    const events = [
      { t: 0, ...click, role: 'button', name: 'link' },
      { t: 1, ...click, role: 'checkbox' },
      { t: 2, ...click, role: 'generic' },
      { t: 3, ...click, role: 'tostring' },
      { t: 4, type: 'touch', user: 'a', x: 1, y: 2, role: 'textbox' },
      { t: 5, type: 'typing', user: 'a', keys: 1 },
      { t: 6, type: 'typing', user: 'a', keys: 4_000, characters: 500 },
    ];
    recording.events = events.map((each) => JSON.stringify(each)).join('\n');
    Object.assign(element, { eventList: true, captions: true });
    await show(recording.src, events.length);
    const details = () => all('.events .detail').map(({ textContent }) => textContent);
    const captions = () => [...(element.video?.textTracks[0]?.cues ?? [])].map((cue) => (cue as VTTCue).text);
    equal(details(), ['link', 'checkbox', '', '', 'text field', '1 character', '4,500 characters']);
    equal(captions().slice(0, 3), ['Click · link', 'Click · checkbox', 'Click']);
    document.documentElement.lang = 'de';
    await until(() => details().at(-1) === '4.500 Zeichen');
    equal(details(), ['link', 'Kontrollkästchen', '', '', 'Textfeld', '1 Zeichen', '4.500 Zeichen']);
    await until(() => captions()[1] === 'Klick · Kontrollkästchen');
  });

  it('skips idle time while playing, but not where the user went', async () => {
    element.skipIdle = true;
    await show();
    await seeked(() => (element.currentTime = 3));
    const skipped = next('seeked');
    element.speed = 8;
    await element.play();
    await skipped;
    ok(element.currentTime >= 19, `${element.currentTime}`);
    ok(find('[role=status]').textContent.includes('Skipped'));
    element.pause();
    await seeked(() => (element.currentTime = 8));
    element.speed = 1;
    await element.play();
    await next('timeupdate');
    await next('timeupdate');
    ok(element.currentTime < 12, `${element.currentTime}`);
  });

  it('goes to a position that the browser ignores until it knows the duration', async () => {
    await show();
    const { video } = element;
    ok(video);
    const unknown = { length: 0, start: () => 0, end: () => 0 };
    Object.defineProperty(video, 'seekable', { value: unknown, configurable: true });
    const ignores = { get: () => 0, set: () => undefined, configurable: true };
    Object.defineProperty(video, 'currentTime', ignores);
    element.currentTime = 30;
    equal(element.currentTime, 30);
    for (const name of ['seekable', 'currentTime']) Reflect.deleteProperty(video, name);
    video.dispatchEvent(new Event('durationchange'));
    await until(() => video.currentTime === 30);
  });

  it('does not skip idle time whose end the browser cannot reach', async () => {
    await show();
    const { video } = element;
    ok(video);
    Object.defineProperty(video, 'seekable', { value: { length: 1, start: () => 0, end: () => 0 } });
    let seeks = 0;
    video.addEventListener('seeking', () => (seeks += 1));
    element.skipIdle = true;
    element.speed = 8;
    await element.play();
    await until(() => video.currentTime > 6);
    equal(seeks, 0);
  });

  it('shows events as captions, also in other languages', async () => {
    await show();
    button('Captions of events').click();
    await element.updateComplete;
    const [track] = element.video?.textTracks ?? [];
    equal(track?.mode, 'showing');
    const texts = () => [...(track?.cues ?? [])].map((cue) => (cue as VTTCue).text);
    equal(texts().at(4), 'Marker · Payment');
    equal(texts().at(5), 'Typing · 7 characters · User 2');
    document.documentElement.lang = 'de';
    await until(() => texts().at(4) === 'Markierung · Payment');
    button('Ereignisse als Untertitel').click();
    await element.updateComplete;
    equal(track?.mode, 'hidden');
  });

  it('shows characters of markup as text in captions', async () => {
    recording.events = JSON.stringify({
      t: 1,
      type: 'title',
      tab: '1',
      title: 'Preise < 5 EUR & <b>mehr</b>',
    });
    await show(recording.src, 1);
    element.captions = true;
    await element.updateComplete;
    const cue = element.video?.textTracks[0]?.cues?.[0] as VTTCue;
    equal(cue.getCueAsHTML().textContent, 'Title · Preise < 5 EUR & <b>mehr</b>');
  });

  it('reads events to screen readers only with captions and while playing', async () => {
    await show();
    const live = find('[aria-live=polite]');
    element.captions = true;
    await seeked(() => (element.currentTime = 21.5));
    equal(live.textContent.trim(), '');
    await element.play();
    await until(() => live.textContent.includes('Payment'));
  });

  it('offers the newest part of a recording that goes on', async () => {
    recording.state = 'recording';
    element.src = recording.src;
    document.body.append(element);
    await until(() => element.video?.readyState === 4);
    await element.updateComplete;
    ok(element.matches(':state(live)'));
    await seeked(() => (element.currentTime = 5));
    recording.state = 'ready';
    find('.live button').click();
    await until(() => element.state === 'ready' && !element.matches(':state(live)'));
    equal(element.currentTime, 5);
  });

  it('keeps its events while it is loaded again, until the new ones arrive', async () => {
    element.eventList = true;
    await show();
    await seeked(() => (element.currentTime = 30));
    const counts = new Set<number>();
    element.addEventListener('statechange', () => counts.add(element.events.length));
    const more = [...EVENTS, { t: 58, type: 'user_left', user: 'b' }];
    recording.events = more.map((each) => JSON.stringify(each)).join('\n');
    const loaded = next('eventsload');
    element.reload();
    await loaded;
    equal([...counts], [EVENTS.length]);
    equal(element.events.length, more.length);
    recording.status = 404;
    element.reload();
    await until(() => element.state === 'failed');
    equal(element.events.length, 0);
    recording.status = 200;
    element.src = `${recording.src}?other`;
    await element.updateComplete;
    equal(element.events.length, 0);
  });

  it('goes on to play, or stays paused, when it is loaded again', async () => {
    element.autoplay = true;
    await show();
    await until(() => !element.paused);
    for (const paused of [false, true]) {
      if (paused) element.pause();
      element.reload();
      await until(() => element.state === 'ready');
      equal(element.paused, paused);
    }
  });

  it('keeps its position when it is loaded again after a failure', async () => {
    await show();
    await seeked(() => (element.currentTime = 30));
    recording.status = 503;
    element.reload();
    await until(() => element.state === 'failed');
    recording.status = 200;
    element.reload();
    await until(() => element.state === 'ready');
    equal(element.currentTime, 30);
    element.src = `${recording.src}?other`;
    await until(() => element.video?.readyState === 4);
    equal(element.currentTime, 0);
  });

  it('does not play if it is removed while the recording is loaded', async () => {
    element.autoplay = true;
    element.addEventListener('statechange', () => element.remove(), { once: true });
    element.src = recording.src;
    document.body.append(element);
    await until(() => element.state === 'ready');
    equal([element.isConnected, element.paused], [false, true]);
  });

  it('shows a recording without events, and skips lines that are none', async () => {
    recording.events = 'half a li\n[]\n{"t":"x","type":"click"}\n{"t":-1,"type":"click"}\n';
    element.eventList = true;
    await show(recording.src, 0);
    await until(() => find('.events').textContent.includes('This recording has no events.'));
    equal(element.events, []);
    equal(all('button[aria-label="Skip idle time"]').length, 0);
  });

  it('shows a recording whose file of events does not exist as one without events', async () => {
    recording.eventsStatus = 404;
    element.eventList = true;
    await show(recording.src, 0);
    await until(() => find('.events .note').textContent === 'This recording has no events.');
  });

  it('plays before its events are loaded, and shows them when they arrive', async () => {
    const writer = recording.holdEvents();
    Object.assign(element, { eventList: true, captions: true, skipIdle: true });
    await show(`${recording.src}?t=8`, 0);
    equal([element.state, find('.events .note').textContent], ['ready', 'Loading the recording…']);
    await element.play();
    await next('timeupdate');
    for (const event of EVENTS) await writer.write(line(event));
    const loaded = next('eventsload');
    await writer.close();
    await loaded;
    equal(element.events.length, EVENTS.length);
    await element.updateComplete;
    equal([all('.events button').length, all('.track .idle').length], [EVENTS.length, 2]);
    equal(element.video?.textTracks[0]?.cues?.length, EVENTS.length);
    // The start is in an idle time, which was not known when the playback went there.
    await next('timeupdate');
    await next('timeupdate');
    ok(element.currentTime < 12, `${element.currentTime}`);
  });

  it('loads events over a slow network as long as parts arrive, and says so if they stop', async () => {
    const limits = new HeldTimers(15_000);
    try {
      for (const ends of [true, false]) {
        const writer = recording.holdEvents();
        element.eventList = true;
        element.src = `${recording.src}?${ends}`;
        document.body.append(element);
        for (const event of EVENTS) {
          const before = limits.started;
          await writer.write(line(event));
          // The time limit starts again with each part.
          await until(() => limits.started > before);
          // There is no limit for all parts together. The video does not wait for them.
          await until(() => element.state === 'ready');
          equal(limits.size, 1);
        }
        if (ends) await writer.close();
        else limits.run(15_000);
        await until(() => limits.size === 0 && element.events.length === (ends ? EVENTS.length : 0));
      }
    } finally {
      limits.restore();
    }
    await until(
      () => find('.events .note').textContent === 'The events of this recording could not be loaded.',
    );
    equal(element.state, 'ready');
  });

  it('does not show events of its previous address', async () => {
    const writer = recording.holdEvents();
    await show(recording.src, 0);
    recording.events = '{"t":1,"type":"click"}';
    await show(`${recording.src}?other`, 1);
    // The request of the previous address was cancelled.
    await writer.write(line(EVENTS[0])).catch(() => undefined);
    await writer.close().catch(() => undefined);
    await element.updateComplete;
    equal(
      element.events.map(({ type }) => type),
      ['click'],
    );
  });

  it('says that the events could not be loaded, also without a list', async () => {
    recording.events = brokenBody();
    // The message stays until the test has read it.
    const timers = new HeldTimers(2_500);
    try {
      await show(recording.src, 0);
      const said = () => find('[role=status]').textContent.trim();
      await until(() => said() === 'The events of this recording could not be loaded.');
    } finally {
      timers.restore();
    }
    button('Events').click();
    await element.updateComplete;
    equal(find('.events .note').textContent, 'The events of this recording could not be loaded.');
  });

  it('reads switches as properties like the attributes', async () => {
    element.autoplay = true;
    for (const name of ['skipIdle', 'captions', 'eventList', 'autoplay']) Reflect.set(element, name, 'false');
    Reflect.set(element, 'muted', 'true');
    await show();
    equal(
      [element.skipIdle, element.captions, element.eventList, element.autoplay],
      [false, false, false, false],
    );
    equal([element.muted, element.video?.muted, element.paused], [true, true, true]);
  });

  it('accepts null for values that are not available yet, and shows nothing without an address', async () => {
    await show();
    for (const name of ['src', 'token', 'start', 'speed', 'captions', 'label', 'texts'])
      Reflect.set(element, name, null);
    await until(() => element.state === 'idle');
    equal([element.src, element.speed, element.duration > 0], ['', 1, false]);
  });
});

describe('a recording that cannot be shown', () => {
  const cases = [
    { name: 'no access', status: 401, code: 'access', title: 'No access' },
    { name: 'no such recording', status: 404, code: 'missing', title: 'Recording not found' },
    { name: 'a service that fails', status: 503, code: 'network', title: 'Cannot load the recording' },
    { name: 'no network', status: 0, code: 'network', title: 'Cannot load the recording' },
  ];
  for (const { name, status, code, title } of cases)
    it(`says what to do: ${name}`, async () => {
      recording.status = status;
      const failed = next('error');
      element.src = recording.src;
      document.body.append(element);
      equal((await failed).error.code, code);
      await element.updateComplete;
      equal([element.state, find('.title').textContent], ['failed', title]);
      recording.status = 200;
      find('[part=retry]').click();
      await until(() => element.video?.readyState === 4);
      equal(element.state, 'ready');
    });

  it('waits as long as the service says after too many requests, but not for minutes', async () => {
    const waits = new HeldTimers(2_000);
    try {
      recording.refusals = [
        { status: 429, retryAfter: '2' },
        { status: 503, retryAfter: '3' },
      ];
      element.src = recording.src;
      document.body.append(element);
      for (const wait of [2_000, 3_000]) {
        await until(() => waits.has(wait) || element.state === 'failed');
        equal(element.state, 'loading');
        waits.run(wait);
      }
      await until(() => element.state === 'ready');
      equal(recording.requests.length, 4);
      recording.refusals = [{ status: 429, retryAfter: '60' }];
      const failed = next('error');
      element.reload();
      equal((await failed).error.code, 'network');
    } finally {
      waits.restore();
    }
  });

  const bodies = [
    { name: 'the connection breaks within the answer', body: null, code: 'network' },
    { name: 'another server answers', body: '<html>', code: 'missing' },
  ];
  for (const { name, body, code } of bodies)
    it(`says what to do: ${name}`, async () => {
      recording.body = body;
      const failed = next('error');
      element.src = recording.src;
      document.body.append(element);
      equal((await failed).error.code, code);
    });

  it('says that nothing was recorded', async () => {
    recording.state = 'failed';
    const failed = next('error');
    element.src = recording.src;
    document.body.append(element);
    equal((await failed).error.code, 'empty');
  });

  it('says so if no answer comes in time, and a new address ends the wait', async () => {
    recording.status = 'never';
    const limits = new HeldTimers(15_000);
    try {
      element.src = recording.src;
      document.body.append(element);
      await until(() => recording.requests.length === 1);
      element.src = `${recording.src}?other`;
      await until(() => recording.requests.length === 2);
      equal(element.state, 'loading');
      const failed = next('error');
      limits.run();
      equal((await failed).error.code, 'network');
    } finally {
      limits.restore();
    }
  });

  const videos = [
    { name: 'the token has expired', status: 401, code: 'access' },
    { name: 'the recording was deleted', status: 404, code: 'missing' },
    { name: 'the service fails', status: 503, code: 'network' },
    { name: 'the browser does not know the format', status: 206, code: 'format' },
  ];
  for (const { name, status, code } of videos)
    it(`says why its video cannot be played: ${name}`, async () => {
      recording.videoStatus = status;
      const failed = next('error');
      // The test server has no such file, so the video reports an error that does not contain the reason.
      element.src = `${recording.src}/none?token=secret`;
      document.body.append(element);
      equal((await failed).error.code, code);
      equal(recording.requests.at(-1), { path: `${recording.src}/none/video.mp4`, authorization: null });
    });

  it('says that an address is none', async () => {
    const wrong = next('error');
    element.src = 'http://[';
    document.body.append(element);
    equal((await wrong).error.code, 'missing');
  });

  it('does not report a failed video after the address has changed', async () => {
    recording.videoStatus = 'never';
    const failures: string[] = [];
    element.addEventListener('error', ({ error }) => failures.push(error.code));
    element.src = `${recording.src}/none`;
    document.body.append(element);
    await until(() => recording.requests.at(-1)?.path.endsWith('/video.mp4') === true);
    element.src = recording.src;
    await until(() => element.video?.readyState === 4);
    equal([element.state, failures], ['ready', []]);
  });
});

describe('the accessibility of <cloud-browser-replay>', () => {
  const violations = async () =>
    (await axe.run(element)).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );

  it('has no violations while it plays, also on phones, in forced colours and in German', async () => {
    Object.assign(element, { eventList: true, captions: true, skipIdle: true });
    await show();
    equal(await violations(), []);
    await setViewport({ width: 390, height: 844 });
    equal(await violations(), []);
    await emulateMedia({ forcedColors: 'active' });
    equal(await violations(), []);
    document.documentElement.lang = 'de';
    await until(() => element.shadowRoot?.querySelector('[aria-label="Abspielen"]') !== null);
    equal(await violations(), []);
  });

  it('has none while it loads, and after a failure', async () => {
    recording.status = 'never';
    element.src = recording.src;
    document.body.append(element);
    await until(() => element.shadowRoot?.querySelector('.spinner') !== null);
    equal(await violations(), []);
    recording.status = 401;
    element.reload();
    await until(() => element.shadowRoot?.querySelector('[part=retry]') !== null);
    equal(await violations(), []);
  });

  it('names all buttons, and is a group with a name', async () => {
    await show();
    for (const each of all('button, select, input')) ok(each.ariaLabel, each.outerHTML);
    equal(find('[role=group]').ariaLabel, 'Recording of a remote browser');
    element.label = 'Lesson 3';
    await element.updateComplete;
    equal(find('[role=group]').ariaLabel, 'Lesson 3');
  });

  it('keeps everything inside the element on a phone', async () => {
    await setViewport({ width: 390, height: 844 });
    element.eventList = true;
    await show();
    const { right } = element.getBoundingClientRect();
    for (const each of all('button, select'))
      ok(each.getBoundingClientRect().right <= right + 0.5, each.outerHTML);
    ok(document.documentElement.scrollWidth <= 390);
  });
});
