import { ServiceError } from '../../service-error.js';
import { pause, type Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import type { BegunSession, CreateContext, CreatedSession } from './create.js';
import { NotReachedError, type BeginRequest, type OtherNodes } from '../placement/other-nodes.js';
import type { NodeAddress, Placement, PlacementRequest } from '../placement/placement.js';
import { startFailed } from '../placement/start-health.js';
import { isClusterEnd } from '../records/end-reason.js';
import type { WebhookClient } from '../ports.js';
import type { Session } from '../session.js';
import { completeRequest } from './complete-request.js';
import { warnOfRefusedWebhooks } from './refused-webhooks.js';
import type { SessionStatus } from '../records/session-record.js';
import type { CreateRequest } from '../../create-fields/create-request.js';
import type { Region } from '../../create-fields/values/region.js';
import { settingsOf, type SessionSecrets, type SessionSettings } from '../settings/session-settings.js';
import type { Warnings } from '../../create-fields/warnings.js';

/** Dependencies of {@link SessionCreation}. */
export interface SessionCreationParts {
  placement: Placement;
  otherNodes: OtherNodes;
  /** Regions that this service serves, on any node. */
  regions: () => readonly Region[];
  webhooks: Pick<WebhookClient, 'refuses'>;
  clock: Clock;
  /**
   * Begins a session on this node. Rejects with a {@link ServiceError} if no process of the session is left.
   * If the session is ending, resolves with it at once.
   */
  start: (
    id: string,
    settings: SessionSettings,
    secrets: SessionSecrets,
    by: CreateContext['by'],
  ) => Promise<BegunSession>;
}

/**
 * Maximum number of placements of one create request. A request is placed again if the chosen node is ending,
 * cannot be reached or does not start the session. It is also placed again if the session with its tag is
 * ending, or has a place on a node but has not begun there. The number is above 15, because such a session
 * may take up to 15 checks until it loses its place.
 */
const MAX_PLACEMENTS = 20;
/** Pause in milliseconds before a request is placed again because the chosen node is ending. */
const ENDING_PAUSE_MS = 250;
/**
 * Longest time in milliseconds for which a create request waits for the end of the session with its tag. A
 * create request whose own session ends while it starts waits for this end until the same time has passed
 * since the start began. Clients and proxies often time out after 30 s.
 */
export const ENDING_WAIT_MS = 25_000;
/** Seconds after which a create request may be repeated if the session with its tag is still ending. */
const ENDING_RETRY_SECONDS = 5;
/** Number of failed starts after which a create request tries no further node. */
export const MAX_FAILED_STARTS = 3;
/** Milliseconds after which a create request tries no further node, if a start has failed. */
export const LAST_START_MS = 30_000;

/**
 * Finds places for sessions, here or on another node, and begins the sessions. Keeps a list of the sessions
 * that hold places here.
 */
export class SessionCreation {
  /** Sessions that are being begun, and sessions that have begun. */
  readonly #begun = new Map<string, { begun: Promise<BegunSession>; placementRequest: PlacementRequest }>();

  constructor(private readonly parts: SessionCreationParts) {}

  /**
   * Resolves once a host has accepted the session, here or on another node. If a session with the requested
   * tag already runs, returns that session. If the session does not start on one node, tries another node.
   * Throws {@link ServiceError}.
   */
  async create(request: CreateRequest, context: CreateContext): Promise<CreatedSession> {
    const { placement, otherNodes, clock, regions } = this.parts;
    const warnings: Warnings = [];
    const complete = completeRequest(request, context, regions(), warnings);
    warnOfRefusedWebhooks(complete.secrets, this.parts.webhooks, warnings);
    const passedOver: string[] = [];
    const failures: ServiceError[] = [];
    const until = clock.now() + LAST_START_MS;
    for (let tries = 0; tries < MAX_PLACEMENTS; tries++) {
      const placed = placement.place(complete.placement, passedOver);
      const { kind, id, node } = await placed.catch((error: unknown) => {
        // No other node accepts the session, so the caller receives the error of the failed start.
        throw failures.at(-1) ?? error;
      });
      // The request may have waited for a place, or for the end of the session with its tag.
      if (context.leaving?.aborted) {
        if (kind === 'begin') placement.release(id);
        throw new ServiceError('err_unavailable');
      }
      if (kind === 'begin') {
        const order = { id, request: complete, by: context.by };
        try {
          const status = await (node ? otherNodes.begin(node, order) : this.begin(order));
          if (context.leaving?.aborted && complete.placement.tag === null) await this.#endUnknown(id, node);
          return { ...status, warnings };
        } catch (error) {
          const why = retryReason(error, node !== null);
          if (why === 'ending') {
            // This node is ending, and the placement soon skips it.
            await pause(clock, ENDING_PAUSE_MS);
            continue;
          }
          passedOver.push(id);
          if (why !== 'unreached') failures.push(why);
          if (failures.length >= MAX_FAILED_STARTS || (failures.length > 0 && clock.now() >= until))
            throw error;
          continue;
        }
      }
      const existing = await (node ? otherNodes.existing(node, id) : this.existing(id));
      if (existing) return { ...existing, warnings: [] };
    }
    throw new ServiceError('err_unavailable');
  }

  /**
   * Begins a session whose place is on this node. If an end of the session was requested while it started, or
   * if the start failed, waits for the end of its processes, but not for too long. Throws
   * {@link ServiceError}.
   */
  async begin({ id, request, by }: BeginRequest): Promise<SessionStatus> {
    const { clock } = this.parts;
    const until = clock.now() + ENDING_WAIT_MS;
    const { session, failure } = await this.#start({ id, request, by });
    if (!session.ending) return session.status;
    // The session keeps its place until all its processes have ended, see `ended`.
    await withTimeout(session.ended, Math.max(0, until - clock.now()), () => undefined, clock);
    throw failure ?? endedAtStart(session);
  }

  /**
   * Returns a session of this node as soon as it has begun. Returns undefined if this node does not have the
   * session. If the session is ending, waits for the end of its processes and then returns undefined. Throws
   * {@link ServiceError} if this wait takes too long.
   */
  async existing(sessionId: string): Promise<SessionStatus | undefined> {
    const known = this.#begun.get(sessionId);
    if (!known) await this.parts.placement.missing(sessionId);
    const session = (await known?.begun.catch(() => undefined))?.session;
    if (session && !session.ending) return session.status;
    const late = () => Promise.reject(new ServiceError('err_tag_busy', ENDING_RETRY_SECONDS, 'ending'));
    if (session) await withTimeout(session.ended, ENDING_WAIT_MS, late, this.parts.clock);
    return undefined;
  }

  /**
   * Sessions that hold places on this node, with the placement request of each. Includes sessions that are
   * just beginning or ending.
   */
  get held(): ReadonlyMap<string, PlacementRequest> {
    return new Map([...this.#begun].map(([id, { placementRequest }]) => [id, placementRequest]));
  }

  /** Releases the place of a session. Call it after all processes of the session have ended. */
  ended(sessionId: string): void {
    this.#begun.delete(sessionId);
    this.parts.placement.release(sessionId);
  }

  /**
   * Ends a session whose client did not get the answer. Nobody knows the id of this session. With a tag, the
   * client finds the session when it repeats the request. Throws {@link ServiceError}.
   *
   * @param node the node that has the session, null for this node
   */
  async #endUnknown(sessionId: string, node: NodeAddress | null): Promise<void> {
    // If the other node does not answer, the session ends at its time limits.
    if (node) await this.parts.otherNodes.end(node, sessionId).catch(() => undefined);
    else await (await this.#begun.get(sessionId)?.begun)?.session.end('request');
    throw new ServiceError('err_session_terminated', 'the client closed its connection before the answer');
  }

  async #start({ id, request, by }: BeginRequest): Promise<BegunSession> {
    try {
      const begun = this.parts.start(id, settingsOf(request.settings, id), request.secrets, by);
      this.#begun.set(id, { begun, placementRequest: request.placement });
      return await begun;
    } catch (error) {
      this.ended(id);
      throw error;
    }
  }
}

/** Returns the error for the caller if a session ended, or began to end, while it started. */
function endedAtStart(session: Session): ServiceError {
  const reason = session.status.record.ended?.reason ?? session.requestedEnd;
  if (!reason) return new ServiceError('err_session_terminated', 'its end was requested while it started');
  // When the caller repeats the request, another process or another node begins the session.
  if (reason === 'ended' || isClusterEnd(reason)) return new ServiceError('err_unavailable');
  if (reason === 'crashed') return startFailed();
  const cause = reason === 'request' ? 'a request' : `the limit "${reason}"`;
  return new ServiceError('err_session_terminated', `${cause} ended it while it started`);
}

/**
 * Returns the reason why a request must be placed again. If the session did not start on its node, the reason
 * is the error itself. Throws the error if a retry would not help.
 */
function retryReason(error: unknown, isElsewhere: boolean): 'unreached' | 'ending' | ServiceError {
  if (error instanceof NotReachedError) return 'unreached';
  if (!(error instanceof ServiceError)) throw error;
  if (isElsewhere && error.code === 'err_unavailable') return 'ending';
  if (error.code === 'err_session_failed') return error;
  throw error;
}
