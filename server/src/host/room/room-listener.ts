import type { HostMessage, InputEvent } from 'cloud-browser/protocol';
import type { AgentUse, AuthorizationAnswer, AuthorizationRequest } from '../../host-protocol.js';
import type { Viewer } from './viewers/viewer.js';

/** Receiver of a room's events. */
export interface RoomListener {
  onViewers(count: number): void;
  /** Called when the room accepted input of a user, and when a user asked to keep the session open. */
  onActivity(viewer?: Viewer, event?: InputEvent): void;
  /** Called for the log when a user joined, left or was disconnected by the session. */
  onUser(what: 'joined' | 'left' | 'sent away', fields: Record<string, unknown>): void;
  /** Called for the log when a hand-off (the request of an agent for a person) has begun or ended. */
  onHandoff?(fields: Record<string, unknown>): void;
  /** Called when agents have joined, left or sent commands. */
  onAgentUse?(use: AgentUse): void;
  /** Asks the service if a user may join. */
  authorize(user: Omit<AuthorizationRequest, 'request'>): Promise<AuthorizationAnswer>;
  /** Returns the active warnings for a viewer that joins. */
  warnings(): HostMessage[];
}
