/** Demo for phones: a session that fills the screen, with all touch gestures. */
import '../src/element/define.js';
import type { CloudBrowserElement } from '../src/element/define.js';
import type { SessionRequest } from './api.js';
import { attempt } from './session/attempt.js';
import { STATUS } from './view/connection-status.js';
import { find, findA, onAction } from './dom.js';
import { ENDED_HERE, SessionKeeper, type SavedSession } from './session/session-keeper.js';
import { phoneRequest } from './session/session-requests.js';
import { StartForm } from './session/start-form.js';
import { toast } from './toast.js';

const keeper = new SessionKeeper();
const stage = find('.stage');
new StartForm((address) => start(requestFor(address)));
let live: { saved: SavedSession; browser: CloudBrowserElement } | undefined;

onAction('keyboard', () => live?.browser.showKeyboard());
onAction('fullscreen', () => void fullScreen());
onAction('end', (button) => attempt(end(), button));
find("[data-action='fullscreen']").hidden = !document.fullscreenEnabled;
void keeper.resume().then((saved) => saved && play(saved));

/** Returns the request for a session with the size of this phone. */
function requestFor(address: string): SessionRequest {
  const kiosk = !findA(HTMLInputElement, '[name=tabs]').checked;
  return phoneRequest(address, { width: stage.clientWidth, height: stage.clientHeight }, kiosk);
}

async function start(request: SessionRequest): Promise<void> {
  const saved = await keeper.create(request);
  if (saved) play(saved);
}

function play(saved: SavedSession): void {
  const browser = document.createElement('cloud-browser');
  browser.setAttribute('embed-url', saved.session.embed_url);
  if (saved.request.kiosk) browser.setAttribute('resize', 'auto');
  browser.addEventListener('statechange', () => showStatus(browser.state));
  browser.addEventListener('disconnect', (event) => {
    // The element itself offers to connect again.
    if (event.reason !== 'unreachable') ended(event.message);
  });
  live = { saved, browser };
  stage.replaceChildren(browser);
  document.body.dataset['phase'] = 'live';
  showStatus(browser.state);
}

async function end(): Promise<void> {
  if (live && (await keeper.end(live.saved))) ended(ENDED_HERE);
}

function ended(text: string): void {
  if (!live) return;
  live = undefined;
  keeper.forget();
  stage.replaceChildren();
  document.body.dataset['phase'] = 'start';
  toast(text);
}

async function fullScreen(): Promise<void> {
  try {
    await live?.browser.requestFullscreen({ navigationUI: 'hide' });
  } catch {
    toast('This browser did not allow full screen.');
  }
}

function showStatus(state: string): void {
  find('.status').dataset['status'] = state;
  find('.status-text').textContent = STATUS[state] ?? state;
}
