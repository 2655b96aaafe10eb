import type { ReactiveControllerHost } from 'lit';
import type { CloudBrowserClient } from '../core/index.js';
import type { Handoff } from '../protocol/index.js';
import type { Viewer } from '../viewer/index.js';
import type { CloseCountdown } from './status/close-countdown.js';
import {
  AudioBlockedEvent,
  CloseWarningEvent,
  CloudBrowserErrorEvent,
  ConnectEvent,
  CopyStateChangeEvent,
  DisconnectEvent,
  HandoffEvent,
  NoticeEvent,
  PrivacyChangeEvent,
  QualityChangeEvent,
  RecordingChangeEvent,
  RemoteCopyEvent,
  ResizeEvent,
} from './events.js';
import { copyText } from './status/copy-text.js';
import type { Words } from './lang/texts.js';
import type { TimedNotice } from './status/timed-notice.js';

/** Target of a session's events, and the parts that show them. */
export interface EventHost extends ReactiveControllerHost, EventTarget {
  readonly countdown: CloseCountdown;
  readonly notices: TimedNotice;
  readonly words: Words;
  /** Open requests in which an agent asks for the help of a person. The element shows the oldest one. */
  handoffs: readonly Handoff[];
}

/**
 * Dispatches a client's events as element events. Shows their messages unless a listener calls
 * `preventDefault()`.
 */
export function forwardClient(client: CloudBrowserClient, host: EventHost): void {
  const tell = (event: Event): boolean => host.dispatchEvent(event);
  // Removes the requests of agents in an earlier session.
  host.handoffs = [];
  client.on('welcome', ({ userId, width, height }) => tell(new ConnectEvent(userId, width, height)));
  client.on('disconnect', ({ reason, message }) => tell(new DisconnectEvent(reason, message)));
  client.on('closeWarning', (warning) => {
    const shown = tell(new CloseWarningEvent(warning.type, warning.deadline));
    if (shown || !warning.deadline) host.countdown.warn(warning);
  });
  client.on('notice', ({ kind, message }) => {
    const key = `notice.${kind}`;
    if (tell(new NoticeEvent(kind, host.words.told(key, message)))) host.notices.show(message, key);
  });
  client.on('privacy', (privacy) => {
    host.requestUpdate();
    tell(new PrivacyChangeEvent(privacy));
  });
  client.on('handoff', (open) => {
    host.handoffs = tell(new HandoffEvent(open)) ? open : [];
    host.requestUpdate();
  });
  client.on('agents', () => host.requestUpdate());
  client.on('recording', (recording) => {
    host.requestUpdate();
    tell(new RecordingChangeEvent(recording));
  });
  client.on('quality', (quality) => {
    host.requestUpdate();
    tell(new QualityChangeEvent(quality));
  });
  client.on('network', () => host.requestUpdate());
  client.on('error', (error) => tell(new CloudBrowserErrorEvent(error)));
}

/** Dispatches a viewer's events as element events. */
export function forwardViewer(viewer: Viewer, host: EventHost): void {
  viewer.on('resize', ({ width, height }) => host.dispatchEvent(new ResizeEvent(width, height)));
  viewer.on('audioblocked', (blocked) => {
    host.requestUpdate();
    host.dispatchEvent(new AudioBlockedEvent(blocked));
  });
  viewer.on('error', (error) => host.dispatchEvent(new CloudBrowserErrorEvent(error)));
  viewer.on('images', () => host.requestUpdate());
  viewer.on('remoteCopy', (copy) => {
    if (!host.dispatchEvent(new RemoteCopyEvent(copy))) copy.preventDefault();
  });
  viewer.on('copyState', (state) => {
    host.requestUpdate();
    host.dispatchEvent(new CopyStateChangeEvent(state?.state, state ? copyText(state, host.words) : ''));
  });
}
