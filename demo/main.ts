/**
 * Demo: starts a session through the public API and shows it with the public element, like a customer's page.
 */
import type { CloudBrowserElement } from '../src/element/define.js';
import { AgentCard } from './agent/agent-card.js';
import { AddressLine } from './view/address-line.js';
import type { SessionRequest } from './api.js';
import { attempt } from './session/attempt.js';
import { find, onAction } from './dom.js';
import { EmbedCode } from './view/embed-code.js';
import { Figures } from './view/figures.js';
import { Screen, type Notice } from './view/screen.js';
import { agentRequest } from './session/session-requests.js';
import { SessionCard } from './session/session-card.js';
import { SessionForm } from './session/session-form.js';
import {
  ENDED_HERE,
  ENDED_RECORDED,
  sentence,
  SessionKeeper,
  type SavedSession,
} from './session/session-keeper.js';
import { ReplayOffer } from './view/replay-offer.js';
import { Toolbar } from './view/toolbar.js';
import { ViewCard } from './view/view-card.js';

const keeper = new SessionKeeper();
const screen = new Screen();
const toolbar = new Toolbar(screen);
const address = new AddressLine();
const view = new ViewCard();
const figures = new Figures();
const card = new SessionCard();
const code = new EmbedCode();
const agent = new AgentCard();
const replay = new ReplayOffer(
  () => show('replay'),
  () => rest('empty'),
);
const form = new SessionForm(screen.room, (request) => void start(request));
let live: SavedSession | undefined;
let ending = false;

onAction('end', (button) => attempt(end(), button));
onAction('watch-agent', () => void start(agentRequest(screen.room())));
onAction('restart', () => form.submit());
void keeper.resume().then((saved) => saved && play(saved));

async function start(request: SessionRequest): Promise<void> {
  form.busy = true;
  rest('starting');
  scrollTo({ top: 0, behavior: 'smooth' });
  try {
    const saved = await keeper.create(request);
    if (!saved) {
      rest('empty');
      return;
    }
    const browser = play(saved);
    if (request.automation) agent.start(saved.session);
    browser.addEventListener('resize', () => timed(saved, Date.now() - saved.askedAt), { once: true });
  } catch (error) {
    rest('empty');
    form.showError(sentence(error));
  } finally {
    form.busy = false;
  }
}

function play(saved: SavedSession): CloudBrowserElement {
  live = saved;
  const { session, request } = saved;
  const browser = screen.show(session.embed_url, request);
  setPhase('live');
  screen.status(browser.state);
  browser.addEventListener('statechange', () => screen.status(browser.state));
  browser.addEventListener('disconnect', (event) => {
    // The element itself offers to connect again.
    if (event.reason !== 'unreachable') ended(ending ? endedText(saved) : event.message);
  });
  toolbar.show(session.embed_url);
  address.follow(browser, request.start_url ?? 'about:blank');
  view.show(browser);
  card.show(saved);
  code.show(session.embed_url);
  figures.follow(browser);
  scrollTo(0, 0);
  browser.focus();
  return browser;
}

function timed(saved: SavedSession, firstPictureIn: number): void {
  if (live !== saved) return;
  saved.firstPictureIn = firstPictureIn;
  keeper.save(saved);
  card.show(saved);
}

async function end(): Promise<void> {
  if (!live) return;
  ending = true;
  try {
    const saved = live;
    if (await keeper.end(saved)) ended(endedText(saved));
  } finally {
    ending = false;
  }
}

function ended(text: string): void {
  if (!live) return;
  const { session, request } = live;
  keeper.forget();
  rest('ended', text);
  if (request.record) replay.offer(session.session_id);
  find("[data-notice='ended'] button").focus();
}

/** Shows a notice instead of a session. */
function rest(notice: Notice, text?: string): void {
  live = undefined;
  figures.stop();
  agent.stop();
  replay.end();
  screen.status(notice === 'starting' ? 'starting' : notice === 'ended' ? 'closed' : 'none');
  toolbar.show(undefined);
  address.follow(undefined);
  view.show(undefined);
  card.show(undefined);
  code.show();
  show(notice, text);
}

function show(notice: Notice, text?: string): void {
  screen.notice(notice, text);
  setPhase(notice);
}

function endedText({ request }: SavedSession): string {
  return request.record ? ENDED_RECORDED : ENDED_HERE;
}

function setPhase(phase: Notice | 'live'): void {
  document.body.dataset['phase'] = phase;
  form.hidden = phase === 'live';
}
