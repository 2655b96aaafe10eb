/** The demo for phones: a session that fills the screen, with all that fingers can do. */
import '../src/element/define.js';
import type { CloudBrowserElement } from '../src/element/define.js';
import { ApiError, createSession, endSession, isRunning, type SessionRequest } from './api.js';
import { ApiKey } from './api-key.js';
import { STATUS } from './connection-status.js';
import { find, findA, onAction } from './dom.js';
import { forgetSession, saveSession, savedSession, type SavedSession } from './saved-session.js';
import { fitting } from './screen-size.js';
import { startUrl } from './start-url.js';
import { toast } from './toast.js';

const apiKey = new ApiKey();
const stage = find('.stage');
const form = findA(HTMLFormElement, '.start-form');
const submit = findA(HTMLButtonElement, '.start-form [type=submit]');
let live: { saved: SavedSession; browser: CloudBrowserElement } | undefined;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const wishes = read();
  if (wishes) void start(wishes);
});
onAction('keyboard', () => live?.browser.showKeyboard());
onAction('fullscreen', () => void fullScreen());
onAction('end', (button) => void end(button));
find("[data-action='fullscreen']").hidden = !document.fullscreenEnabled;
void resume();

/** What the form asks for; undefined when it says something impossible. */
function read(): SessionRequest | undefined {
  const address = startUrl(findA(HTMLInputElement, '#start-url').value.trim());
  const error = address === null ? 'Enter a web address, for example https://example.com.' : '';
  find('#start-url-error').textContent = error;
  find('#start-url').setAttribute('aria-invalid', String(error !== ''));
  if (address === null) return undefined;
  const kiosk = !findA(HTMLInputElement, '[name=tabs]').checked;
  const size = fitting({ width: stage.clientWidth, height: stage.clientHeight }, kiosk);
  return {
    ...(address && { start_url: address }),
    ...size,
    fps: 60,
    kiosk,
    touch_gestures: { pinch: true, swipe: true },
    // On their own, pages are those for phones; with tabs around them they are what a desktop gets.
    ...(kiosk && { user_agent: 'chrome_android' as const }),
  };
}

async function start(wishes: SessionRequest): Promise<void> {
  busy(true);
  showError('');
  try {
    const key = await apiKey.get();
    if (key === null) return;
    const saved: SavedSession = { session: await createSession(key, wishes), wishes };
    saveSession(saved);
    play(saved);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) apiKey.forget();
    showError(sentence(error));
  } finally {
    busy(false);
  }
}

/** Comes back to the session that this tab showed before a reload, if it is still there. */
async function resume(): Promise<void> {
  const saved = savedSession();
  if (!saved) return;
  try {
    const key = await apiKey.get();
    if (key !== null && (await isRunning(key, saved.session.session_id))) play(saved);
    else forgetSession();
  } catch {
    forgetSession();
  }
}

function play(saved: SavedSession): void {
  const browser = document.createElement('cloud-browser');
  browser.setAttribute('embed-url', saved.session.embed_url);
  browser.addEventListener('statechange', () => showStatus(browser.state));
  browser.addEventListener('disconnect', (event) => {
    // The element itself offers another try.
    if (event.reason !== 'unreachable') ended(event.message);
  });
  live = { saved, browser };
  stage.replaceChildren(browser);
  document.body.dataset['phase'] = 'live';
  showStatus(browser.state);
}

async function end(button: HTMLButtonElement): Promise<void> {
  if (!live) return;
  const { session } = live.saved;
  button.disabled = true;
  try {
    const key = await apiKey.get();
    if (key === null) return;
    await endSession(key, session.session_id);
    ended('The session is over. Nothing of it is left on the server.');
  } catch (error) {
    toast(sentence(error));
  } finally {
    button.disabled = false;
  }
}

function ended(text: string): void {
  if (!live) return;
  live = undefined;
  forgetSession();
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

function showError(text: string): void {
  const error = find('.form-error');
  error.textContent = text;
  error.hidden = text === '';
}

function busy(on: boolean): void {
  submit.disabled = on;
  submit.textContent = on ? 'Starting…' : 'Start session';
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}
