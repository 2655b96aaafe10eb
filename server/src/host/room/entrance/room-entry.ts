import type { Hello, SecondHello, ServerDisconnectReason } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import type { ViewerHandover } from '../../../host-protocol.js';
import type { SessionLimits } from '../../../platform/session-limits.js';
import { TOKEN_END_MESSAGES, type EndedTokens } from '../ended-tokens.js';
import { closeSocket } from '../handshake.js';
import type { RoomListener } from '../room-listener.js';
import { Admission } from '../users/admission.js';
import type { User } from '../users/known-users.js';
import type { SessionUsers } from '../users/session-users.js';
import { countPings, FLOOD, FloodGuard } from '../viewers/flood-guard.js';
import type { Viewer } from '../viewers/viewer.js';
import type { ViewerMessages } from '../viewers/viewer-messages.js';
import { endAfterError } from '../viewers/viewer-socket.js';
import { PendingHandshakes } from './pending-handshakes.js';

/** Parts of a room that {@link RoomEntry} uses. */
export interface RoomEntryParts {
  users: SessionUsers;
  /** The viewers in the room by their first connection. */
  viewers: ReadonlyMap<WebSocket, Viewer>;
  messages: Pick<ViewerMessages, 'receiveCopy'>;
  listener: Pick<RoomListener, 'authorize'>;
  limits: Pick<SessionLimits, 'viewers'>;
  endedTokens: Pick<EndedTokens, 'endOf'>;
  /** Disconnects a viewer with the reason `full`. */
  makeRoom: (socket: WebSocket, viewer: Viewer, message: string) => void;
  /** Adds a viewer that may enter. */
  welcome: (socket: WebSocket, hello: Hello, user: User, handover: ViewerHandover) => void;
}

/** Reason why a connection may not enter. */
interface Refusal {
  reason: ServerDisconnectReason;
  message: string;
}

/**
 * Lets connections enter the room: waits for their hello, authorizes their users, and refuses them if the
 * room is full or closed.
 */
export class RoomEntry {
  readonly #strangers = new PendingHandshakes();
  readonly #admission: Admission;
  #closed: Refusal | undefined;

  constructor(private readonly parts: RoomEntryParts) {
    const { users, listener } = parts;
    this.#admission = new Admission(users.known, users.roster, (user) => listener.authorize(user));
  }

  /** Accepts an open connection whose upgrade the service has allowed. */
  async enter(socket: WebSocket, handover: ViewerHandover): Promise<void> {
    const { users, limits, welcome } = this.parts;
    socket.on('error', () => endAfterError(socket));
    const endCounting = countPings(socket, new FloodGuard(), () => {
      if (socket.readyState === socket.OPEN) closeSocket(socket, 'flooding', FLOOD);
    });
    const hello = await this.#strangers.awaitHello(socket, limits.viewers);
    if (!hello) return;
    if (hello.type === 'second-hello') {
      endCounting();
      this.#joinSecond(socket, hello, handover);
      return;
    }
    const answer = await this.#admission.authorize(handover, hello);
    if (!answer.granted) closeSocket(socket, 'unauthorized', answer.message);
    if (!answer.granted || socket.readyState !== socket.OPEN) return;
    const refusal = this.#closed ?? this.#endOf(handover) ?? this.#full(hello, handover);
    if (refusal) {
      closeSocket(socket, refusal.reason, refusal.message);
      return;
    }
    const namesake = users.known.get(handover.userId);
    if (namesake?.agent) users.agents.replace(namesake);
    endCounting();
    welcome(socket, hello, this.#admission.userOf(hello, handover, answer.permissions), handover);
  }

  /** Refuses all further connections with a reason. */
  close(reason: ServerDisconnectReason, message: string): void {
    this.#closed = { reason, message };
  }

  /** Accepts the second connection of a viewer. */
  #joinSecond(socket: WebSocket, { key }: SecondHello, { token }: ViewerHandover): void {
    const { users, viewers, messages } = this.parts;
    for (const [first, viewer] of viewers) {
      if (!viewer.second.admits(key) || viewer.user.token?.tokenId !== token?.tokenId) continue;
      const isCurrent = () => viewers.has(first) && users.roster.viewer(viewer.userId) === viewer;
      viewer.second.join(socket, (event) => isCurrent() && messages.receiveCopy(viewer, event));
      return;
    }
    closeSocket(socket, 'rejected', 'No viewer of this session expects this second connection.');
  }

  /**
   * Returns a refusal if the session already has the maximum number of other viewers. The user's own earlier
   * connection does not count, because the new one replaces it. Makes room if the viewers of another token
   * are at least two more than those of the user's token. So the holder of one token cannot take all places
   * and lock out the users of other tokens.
   */
  #full(hello: Hello, handover: ViewerHandover): Refusal | undefined {
    const { viewers, limits, makeRoom } = this.parts;
    const id = this.#admission.idOf(hello, handover);
    const others = [...viewers].filter(([, { userId }]) => userId !== id);
    if (others.length < limits.viewers) return undefined;
    const message = `This session accepts at most ${limits.viewers} viewers. Try again later.`;
    const groups = byToken(others);
    const own = groups.get(handover.token?.tokenId)?.length ?? 0;
    const [largest = []] = [...groups.values()].sort((one, other) => other.length - one.length);
    const newest = largest.at(-1);
    if (!newest || largest.length < own + 2) return { reason: 'full', message };
    makeRoom(...newest, message);
    return undefined;
  }

  /** Returns the reason why the token of a connection has ended. Undefined if it has not ended. */
  #endOf({ token }: ViewerHandover): Refusal | undefined {
    const reason = this.parts.endedTokens.endOf(token?.tokenId);
    return reason && { reason, message: TOKEN_END_MESSAGES[reason] };
  }
}

type Place = [socket: WebSocket, viewer: Viewer];

/** Groups viewers by the id of their token. The viewers of the embed URL have no such id. */
function byToken(places: readonly Place[]): Map<string | undefined, Place[]> {
  const groups = new Map<string | undefined, Place[]>();
  for (const place of places) {
    const tokenId = place[1].user.token?.tokenId;
    const group = groups.get(tokenId);
    if (group) group.push(place);
    else groups.set(tokenId, [place]);
  }
  return groups;
}
