import type { Cursor, Hello, HostMessage, ServerDisconnectReason } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import type { HostSession, TokenEnd, ViewerHandover } from '../../host-protocol.js';
import { UserInput } from '../input/user-input.js';
import type { InputDevices } from '../input/input-devices.js';
import type { Calls } from './calls/calls.js';
import { TOKEN_END_MESSAGES, type EndedTokens } from './ended-tokens.js';
import { RoomEntry } from './entrance/room-entry.js';
import type { RoomFeature } from './feature.js';
import { bytesOf } from './handshake.js';
import { NOTICES } from './notices.js';
import type { RoomListener } from './room-listener.js';
import { addControlCalls, addUserCalls } from './calls/user-calls.js';
import { mediaFor } from '../stream/stream-parts.js';
import type { Control } from './users/control.js';
import type { Roster } from './users/roster.js';
import type { SessionUsers } from './users/session-users.js';
import { maskRights } from './users/mask-rights.js';
import { canSee } from './users/can-use.js';
import type { StreamHub } from '../stream/stream-hub.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import type { KnownUsers, User } from './users/known-users.js';
import { countPings, FLOOD } from './viewers/flood-guard.js';
import { Viewer } from './viewers/viewer.js';
import { ViewerMessages } from './viewers/viewer-messages.js';
import { welcome } from './viewers/welcome.js';

/**
 * Close codes of connections that the client closed on purpose: by `close()`, or because its page goes away.
 */
const MEANT_CODES: ReadonlySet<number> = new Set([1000, 1001]);

const REPLACED = 'You opened this session in another window.';

/** Parts of a session that its {@link Room} uses. */
export interface RoomParts {
  session: HostSession;
  streams: StreamHub;
  /** Devices of the first browser. {@link Room.useDevices} replaces them. */
  devices: InputDevices;
  calls: Calls;
  users: SessionUsers;
  features: readonly RoomFeature[];
  listener: RoomListener;
  limits: Pick<SessionLimits, 'viewers'>;
  endedTokens: EndedTokens;
}

/**
 * The users of a session: accepts their connections, carries out their input, and shows them the screen. It
 * uses the session's features only through the hooks of {@link RoomFeature}.
 */
export class Room {
  readonly #viewers = new Map<WebSocket, Viewer>();
  readonly #control: Control;
  readonly #knownUsers: KnownUsers;
  readonly #roster: Roster;
  readonly #messages: ViewerMessages;
  readonly #entry: RoomEntry;
  #cursor: Cursor | undefined;
  #devices: InputDevices;

  constructor(private readonly parts: RoomParts) {
    const { streams, devices, calls, users, features, listener, endedTokens } = parts;
    this.#devices = devices;
    endedTokens.onEnd((tokenId, reason) => this.#endToken(tokenId, reason));
    this.#control = users.control;
    this.#knownUsers = users.known;
    this.#roster = users.roster;
    this.#messages = new ViewerMessages({ users, streams, calls, features, listener });
    this.#entry = new RoomEntry({
      ...{ ...parts, viewers: this.#viewers, messages: this.#messages },
      makeRoom: (socket, viewer, message) => this.#sendAway(socket, viewer, 'full', message),
      welcome: (socket, hello, user, handover) => this.#welcome(socket, hello, user, handover),
    });
    addUserCalls(calls, this.#roster, this.#knownUsers, (user) => this.#kick(user));
    addControlCalls(calls, this.#roster, this.#knownUsers, (userId) => {
      for (const feature of features) feature.controlIsGiven?.(userId);
    });
    this.#roster.onChanged = () => {
      for (const feature of features) feature.usersChanged?.();
    };
    let alone: string | undefined;
    this.#roster.onSettled = () => {
      if (alone !== this.#control.alone) this.#knownUsers.browserChanged();
      alone = this.#control.alone;
      for (const feature of features) feature.rightsChanged?.();
    };
    this.#follow(devices);
    users.agents.useDevices(devices);
    users.agents.listener = {
      onUser: (what, fields) => listener.onUser(what, fields),
      onActivity: () => listener.onActivity(),
      onHandoff: ({ id, agent, outcome, answeredBy }) =>
        listener.onHandoff?.({ handoff: id, agent, outcome, user: answeredBy }),
    };
    users.agents.use.onReport = (use) => listener.onAgentUse?.(use);
    calls.onAdmin = () => this.#roster.settle();
    // Backends also use credentials without a token id, for example to request hand-offs. So calls with such
    // a credential are not checked. The list of pages (`tabs.query`) is always checked, because only programs
    // request it in this way.
    calls.checkProgram = ({ tokenId }, method) => {
      if (tokenId === undefined && method !== 'tabs.query') return;
      users.agents.removedTokens.check(tokenId);
      if (tokenId !== undefined) endedTokens.check(tokenId);
    };
  }

  /** Accepts an open connection whose upgrade the service has allowed. */
  enter(socket: WebSocket, handover: ViewerHandover): Promise<void> {
    return this.#entry.enter(socket, handover);
  }

  /** Shows a new shape of the pointer to all viewers that may see the browser. */
  showCursor(cursor: Cursor): void {
    this.#cursor = cursor;
    for (const viewer of this.#viewers.values()) if (canSee(viewer)) viewer.send(cursor);
  }

  /** Sends the whole picture and the pointer's shape to a viewer whose view was hidden. */
  reveal(viewer: Viewer): void {
    if (this.#cursor) viewer.send(this.#cursor);
    this.parts.streams.restart(viewer);
  }

  /** Sends a message to all viewers. */
  tellAll(message: HostMessage): void {
    for (const viewer of this.#viewers.values()) viewer.send(message);
  }

  /** True if a viewer or an agent is in the room. */
  get isUsed(): boolean {
    return this.#viewers.size > 0 || this.parts.users.agents.list().length > 0;
  }

  /** True if any viewer wants to hear the browser and may hear it. */
  get isHeard(): boolean {
    return [...this.#viewers.values()].some(({ hears }) => hears);
  }

  /** Sends sound to the viewers that want to hear it and may hear it. */
  sound(packet: Uint8Array): void {
    for (const viewer of this.#viewers.values()) viewer.sendSound(packet);
  }

  /** Uses a restarted browser. Forgets held keys and buttons, which were pressed in the old browser. */
  useDevices(devices: InputDevices): void {
    const { users, features } = this.parts;
    this.#devices = devices;
    this.#follow(devices);
    this.#knownUsers.browserChanged();
    users.agents.useDevices(devices);
    for (const viewer of this.#viewers.values()) viewer.input = this.#inputOf(viewer.user);
    for (const feature of features) feature.useDevices?.(devices);
  }

  /** Closes all connections with a reason. */
  close(reason: ServerDisconnectReason, message: string): void {
    const { users, features } = this.parts;
    this.#entry.close(reason, message);
    this.#roster.close();
    users.agents.close();
    for (const feature of features) feature.roomCloses?.();
    for (const viewer of this.#viewers.values()) viewer.close(reason, message);
  }

  #follow({ pages }: InputDevices): void {
    pages.onReplaced = () => this.#knownUsers.browserChanged();
    const { dialogs } = pages;
    dialogs.watch(() => this.#control.dialogsChanged(dialogs.all().size > 0));
  }

  #welcome(socket: WebSocket, hello: Hello, user: User, { ip, token }: ViewerHandover): void {
    const { session, streams, features, listener } = this.parts;
    const { id: userId } = user;
    for (const [earlier, other] of this.#viewers) {
      if (other.userId !== userId) continue;
      // A client does not reconnect after this close reason. Otherwise two windows of the user would replace
      // each other forever.
      if (token?.fixesUser) this.#sendAway(earlier, other, 'replaced', REPLACED);
      else other.terminate();
    }
    const [media, input] = [mediaFor(session, hello.media), this.#inputOf(user)];
    const viewer = new Viewer(user, media, socket, input, () => streams.restart(viewer), hello);
    this.#viewers.set(socket, viewer);
    if (hello.tellsHeld) viewer.expectConfirmations();
    socket.on('message', (data, binary) => {
      // Messages may still arrive from a viewer that the session has disconnected, or has replaced by a newer
      // connection of its user. The newer viewer sends the later events again, so they would act twice.
      if (this.#roster.viewer(userId) !== viewer) return;
      const refusal = this.#messages.receive(viewer, bytesOf(data), binary);
      if (refusal) this.#sendAway(socket, viewer, refusal.reason, refusal.message);
    });
    countPings(socket, user.guard, () => {
      if (this.#viewers.has(socket)) this.#sendAway(socket, viewer, 'flooding', FLOOD);
    });
    socket.once('close', (code) => this.#leave(socket, viewer, MEANT_CODES.has(code)));
    // A client without `resume` does not know the numbers of earlier events, and begins its own.
    if (!hello.resume) user.received.reset();
    viewer.send(welcome(session, user, hello));
    this.#roster.join(viewer);
    for (const feature of features) feature.viewerJoined?.(viewer, hello);
    if (this.#cursor && canSee(viewer)) viewer.send(this.#cursor);
    for (const warning of listener.warnings()) viewer.send(warning);
    streams.add(viewer);
    listener.onUser('joined', { user: userId, address: ip, ...(token && { token: token.tokenId }) });
    listener.onViewers(this.#viewers.size);
  }

  /**
   * @param meant true if the user left or the session disconnected them, false if the connection broke and
   *   the user may come back
   */
  #leave(socket: WebSocket, viewer: Viewer, meant = true): void {
    if (!this.#viewers.delete(socket)) return;
    const { streams, calls, features, listener } = this.parts;
    viewer.left();
    listener.onUser('left', { user: viewer.userId });
    calls.forget(viewer);
    streams.remove(viewer);
    const userIsGone = this.#roster.leave(viewer);
    for (const feature of features) feature.viewerLeft?.(viewer, { userIsGone, meant });
    listener.onViewers(this.#viewers.size);
  }

  /** Disconnects the users that a token admitted, and forgets them. */
  #endToken(tokenId: string, reason: TokenEnd): void {
    for (const user of [...this.#knownUsers.all()])
      if (user.token?.tokenId === tokenId) this.#remove(user, reason, TOKEN_END_MESSAGES[reason]);
  }

  /**
   * Ends the admin rights of viewers whose admin token has ended.
   *
   * @param accepts true for the hash of a valid admin token
   */
  adminsChanged(accepts: (hash: string) => boolean): void {
    for (const viewer of this.#viewers.values()) {
      if (!viewer.admin || accepts(viewer.adminBy)) continue;
      viewer.admin = false;
      if (this.#control.holder === viewer.userId) this.#control.holder = undefined;
    }
    this.#roster.settle();
  }

  /** Disconnects a user. A user who comes back is a new user. */
  #kick(user: User): void {
    if (this.parts.users.agents.kick(user)) return;
    this.#remove(user, 'kicked', 'An admin removed you from this session.');
  }

  #remove(user: User, reason: ServerDisconnectReason, message: string): void {
    this.#knownUsers.forget(user.id);
    if (this.#control.holder === user.id) this.#control.holder = undefined;
    for (const [socket, viewer] of this.#viewers)
      if (viewer.user === user) this.#sendAway(socket, viewer, reason, message);
  }

  #inputOf(user: User): UserInput {
    return new UserInput(
      this.#devices,
      maskRights(
        () => this.#roster.viewer(user.id),
        user.typing,
        () => this.#roster.viewer(user.id)?.send(NOTICES.fieldMasked),
      ),
    );
  }

  /** Closes a connection with a reason, and drops its user's unfinished input. */
  #sendAway(socket: WebSocket, viewer: Viewer, reason: ServerDisconnectReason, message: string): void {
    this.parts.listener.onUser('sent away', { user: viewer.userId, reason });
    viewer.close(reason, message);
    viewer.input.giveUp();
    this.#leave(socket, viewer);
  }
}
