/** Demo for admins: two viewers of one session and an admin panel, built only with the public SDK. */
import type { SessionRequest } from '../api.js';
import { attempt } from '../session/attempt.js';
import { copy } from '../copy.js';
import { find, onAction } from '../dom.js';
import { fitting } from '../view/screen-size.js';
import { ENDED_HERE, SessionKeeper, type SavedSession } from '../session/session-keeper.js';
import { StartForm } from '../session/start-form.js';
import { toast } from '../toast.js';
import { Names } from './names.js';
import { RecordingsPanel } from '../recordings/recordings-panel.js';
import { Panel } from './panel.js';
import { Seat } from './seat.js';

const keeper = new SessionKeeper();
const seats = find('.seats');
new StartForm(start);
new RecordingsPanel();
let live: { saved: SavedSession; panel: Panel | undefined } | undefined;

onAction('end', (button) => attempt(end(), button));
onAction('share-control', () => live?.panel?.shareControl());
onAction('invite', () => live && void copy(live.saved.session.embed_url, 'Invitation'));
void keeper.resume().then((saved) => saved && play(saved));

async function start(address: string): Promise<void> {
  const saved = await keeper.create(requestFor(address));
  if (saved) play(saved);
}

/**
 * Returns the request for a session with the exact size of a seat on this page. It has no tabs of its own,
 * because the panel shows them.
 */
function requestFor(address: string): SessionRequest {
  setPhase('live');
  const seat = new Seat({ name: { text: '', colour: 0 }, names: new Names() });
  seats.replaceChildren(seat.element, document.createElement('i'));
  const { clientWidth: width, clientHeight: height } = seat.browser;
  seats.replaceChildren();
  setPhase('start');
  return {
    ...(address && { start_url: address }),
    ...fitting({ width, height }, true),
    fps: 60,
    kiosk: true,
    default_roles: ['control', 'chrome_apis', 'resize', 'cursor_data'],
  };
}

function play(saved: SavedSession): void {
  const { embed_url: embedUrl, admin_token: adminToken } = saved.session;
  const names = new Names();
  const admin = new Seat({ name: { text: 'Admin', colour: 0 }, names, adminToken });
  const guest = new Seat({ name: { text: 'Guest', colour: 1 }, names });
  const running: NonNullable<typeof live> = { saved, panel: undefined };
  live = running;
  admin.browser.addEventListener('viewer', ({ viewer }) => {
    running.panel ??= new Panel(viewer.client, names);
  });
  admin.browser.addEventListener('connect', () => {
    running.panel?.refresh();
    if (guest.browser.embedUrl) return;
    // The admin connects first. So they see the guest join, and have control until they give it away.
    running.panel?.takeControl();
    guest.join(embedUrl);
  });
  admin.browser.addEventListener('disconnect', ({ reason, message }) => {
    // The element itself offers to connect again.
    if (live === running && reason !== 'unreachable') ended(message);
  });
  setPhase('live');
  seats.replaceChildren(admin.element, guest.element);
  admin.join(embedUrl);
}

async function end(): Promise<void> {
  if (live && (await keeper.end(live.saved))) ended(ENDED_HERE);
}

function ended(text: string): void {
  if (!live) return;
  live = undefined;
  keeper.forget();
  seats.replaceChildren();
  setPhase('start');
  toast(text);
}

function setPhase(phase: 'start' | 'live'): void {
  document.body.dataset['phase'] = phase;
}
