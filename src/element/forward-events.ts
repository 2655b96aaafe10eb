import type { EventEmitter } from 'eventemitter3';
import type { ReactiveControllerHost } from 'lit';
import type { ClientEvents, CloudBrowserClient } from '../core/index.js';
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
import { reportFailure } from './report-failure.js';
import { copyText } from './status/copy-text.js';
import type { Words } from './lang/texts.js';
import type { TimedNotice } from './status/timed-notice.js';

/** Element that dispatches a session's events, with its parts that show them. */
export interface EventHost extends ReactiveControllerHost, EventTarget {
  readonly countdown: CloseCountdown;
  readonly notices: TimedNotice;
  readonly words: Words;
  /** Open requests in which an agent asks for the help of a person. The element shows the oldest one. */
  handoffs: readonly Handoff[];
}

/**
 * Dispatches a client's events as element events. Shows their messages unless a listener calls
 * `preventDefault()`. Returns a function that removes the listeners.
 */
export function forwardClient(client: CloudBrowserClient, host: EventHost): () => void {
  const tell = (event: Event): boolean => host.dispatchEvent(event);
  const removals: (() => void)[] = [];
  const on = <Name extends keyof ClientEvents>(
    name: Name,
    listener: EventEmitter.EventListener<ClientEvents, Name>,
  ): void => {
    client.on(name, listener);
    removals.push(() => client.off(name, listener));
  };
  // Removes the requests of agents in an earlier session.
  host.handoffs = [];
  on('welcome', ({ userId, width, height }) => tell(new ConnectEvent(userId, width, height)));
  on('disconnect', ({ reason, message }) => tell(new DisconnectEvent(reason, message)));
  on('closeWarning', (warning) => {
    const shown = tell(new CloseWarningEvent(warning.type, warning.deadline));
    if (shown || !warning.deadline) host.countdown.warn(warning);
  });
  on('notice', ({ kind, message }) => {
    const key = `notice.${kind}`;
    if (tell(new NoticeEvent(kind, host.words.told(key, message)))) host.notices.show(message, key);
  });
  on('privacy', (privacy) => {
    host.requestUpdate();
    tell(new PrivacyChangeEvent(privacy));
  });
  on('handoff', (open) => {
    host.handoffs = tell(new HandoffEvent(open)) ? open : [];
    host.requestUpdate();
  });
  on('agents', () => host.requestUpdate());
  on('recording', (recording) => {
    host.requestUpdate();
    tell(new RecordingChangeEvent(recording));
  });
  on('quality', (quality) => {
    host.requestUpdate();
    tell(new QualityChangeEvent(quality));
  });
  on('network', () => host.requestUpdate());
  on('error', (error) => tell(new CloudBrowserErrorEvent(error)));
  return () => removals.forEach((remove) => remove());
}

/** Dispatches a viewer's events as element events. */
export function forwardViewer(viewer: Viewer, host: EventHost): void {
  viewer.on('resize', ({ width, height }) => host.dispatchEvent(new ResizeEvent(width, height)));
  viewer.on('audioblocked', (blocked) => {
    host.requestUpdate();
    host.dispatchEvent(new AudioBlockedEvent(blocked));
  });
  viewer.on('error', (error) => reportFailure(host, error));
  viewer.on('images', () => host.requestUpdate());
  viewer.on('remoteCopy', (copy) => {
    if (!host.dispatchEvent(new RemoteCopyEvent(copy))) copy.preventDefault();
  });
  viewer.on('copyState', (state) => {
    host.requestUpdate();
    host.dispatchEvent(new CopyStateChangeEvent(state?.state, state ? copyText(state, host.words) : ''));
  });
}
