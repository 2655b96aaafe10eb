import type { HostMessage, InputEvent } from 'cloud-browser/protocol';
import type { AgentUse, AuthorizationAnswer, AuthorizationRequest, FromHost } from '../host-protocol.js';
import type { AuthorizationRequests } from './room/authorization-requests.js';
import type { CloseWarnings } from './room/close-warnings.js';
import type { RoomListener } from './room/room-listener.js';
import type { Viewer } from './room/viewers/viewer.js';
import type { SessionLog } from './session-log.js';

/** Parts of a session to which {@link RoomReports} passes the events. */
export interface ReportReceivers {
  tell: (message: FromHost) => void;
  log: SessionLog;
  authorizations: AuthorizationRequests;
  warnings: CloseWarnings;
  /** Handles input of a user, or a user's request to keep the session open. */
  acted: (viewer?: Viewer, event?: InputEvent) => void;
}

/** Passes the events of a session's room to the service, the log and the session. */
export class RoomReports implements RoomListener {
  constructor(private readonly receivers: ReportReceivers) {}

  onViewers(count: number): void {
    this.receivers.tell({ type: 'viewers', count });
  }

  onActivity(viewer?: Viewer, event?: InputEvent): void {
    this.receivers.acted(viewer, event);
  }

  onUser(what: string, fields: Record<string, unknown>): void {
    this.receivers.log.write('info', `user ${what}`, { audit: what, ...fields });
  }

  onHandoff(fields: Record<string, unknown>): void {
    const message = fields['outcome'] ? 'hand-off ended' : 'hand-off requested';
    this.receivers.log.write('info', message, { audit: 'handoff', ...fields });
  }

  onAgentUse(use: AgentUse): void {
    this.receivers.tell({ type: 'agentUse', use });
  }

  authorize(user: Omit<AuthorizationRequest, 'request'>): Promise<AuthorizationAnswer> {
    return this.receivers.authorizations.ask(user);
  }

  warnings(): HostMessage[] {
    return this.receivers.warnings.current();
  }
}
