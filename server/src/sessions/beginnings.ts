import { ServiceError } from '../service-error.js';
import { pause, type Clock } from '../platform/clock.js';
import type { CreateContext, CreatedSession } from './create.js';
import { NotReachedError, type BeginOrder, type OtherNodes } from './other-nodes.js';
import type { Placement, Wanted } from './placement.js';
import type { Session } from './session.js';
import { completeSettings, secretsOf } from './settings/complete-settings.js';
import type { CreateRequest } from './settings/create-request.js';
import type { Region } from './settings/region.js';
import type { SessionSecrets, SessionSettings } from './settings/session-settings.js';
import type { Warnings } from './settings/warnings.js';
import { wantedBy, wantedWith } from './wanted.js';

/** What {@link Beginnings} need. */
export interface BeginningsParts {
  placement: Placement;
  otherNodes: OtherNodes;
  /** The regions that are served. */
  regions: () => readonly Region[];
  clock: Clock;
  /** Begins a session on this node. Rejects with a {@link ServiceError}, and nothing of it runs then. */
  start: (
    id: string,
    settings: SessionSettings,
    secrets: SessionSecrets,
    context: CreateContext,
  ) => Promise<Session>;
}

/**
 * How often a create is placed anew: the session with its tag was just ending, or never comes, which takes 15 looks to be known; its
 * node was just ending, or was not reached.
 */
const MAX_PLACINGS = 20;
/** Before a create is placed anew whose node was just ending. */
const ENDING_PAUSE_MS = 250;

/** Finds sessions their places, here or on another node, begins them, and knows those that hold places here. */
export class Beginnings {
  /** Sessions that are being begun, and those that have. */
  readonly #begun = new Map<string, { session: Promise<Session>; wanted: Wanted }>();

  constructor(private readonly parts: BeginningsParts) {}

  /**
   * Resolves once a host has accepted the session, here or on another node. When a session with the tag that was asked for runs
   * already, that one is answered. Throws {@link ServiceError}.
   */
  async create(request: CreateRequest, context: CreateContext): Promise<CreatedSession> {
    const { placement, otherNodes, clock, regions } = this.parts;
    const wanted = { ...wantedBy(request, regions()), apiKey: context.apiKey };
    const unreached: string[] = [];
    for (let tries = 0; tries < MAX_PLACINGS; tries++) {
      const { kind, id, node } = await placement.place(wanted, unreached);
      const order = { id, request, context };
      if (kind === 'begin') {
        if (!node) return this.begin(order);
        const begun = await otherNodes.begin(node, order).catch(whyElsewhere);
        if (begun === 'unreached') unreached.push(id);
        // The books say soon that it takes no more.
        else if (begun === 'ending') await pause(clock, ENDING_PAUSE_MS);
        else return begun;
        continue;
      }
      const existing = await (node ? otherNodes.existing(node, id) : this.existing(id));
      if (existing) return existing;
    }
    throw new ServiceError('err_unavailable');
  }

  /** Begins a session that has its place on this node. Throws {@link ServiceError}. */
  async begin({ id, request, context }: BeginOrder): Promise<CreatedSession> {
    const warnings: Warnings = [];
    try {
      const settings = completeSettings(request, id, this.parts.regions(), warnings);
      const secrets = { ...secretsOf(request), extension: context.extension };
      const session = this.parts.start(id, settings, secrets, context);
      this.#begun.set(id, { session, wanted: { ...wantedWith(settings, request), apiKey: context.apiKey } });
      return { ...(await session).status, warnings };
    } catch (error) {
      this.over(id);
      throw error;
    }
  }

  /** A session of this node, once it has begun; undefined, when nothing of it runs any more, for one that is over. */
  async existing(sessionId: string): Promise<CreatedSession | undefined> {
    const begun = this.#begun.get(sessionId);
    if (!begun) await this.parts.placement.missing(sessionId);
    const session = await begun?.session.catch(() => undefined);
    if (session && !session.ending) return { ...session.status, warnings: [] };
    await session?.ended;
    return undefined;
  }

  /** The sessions that hold places on this node, also those that are just beginning or ending, and what they wanted. */
  get held(): ReadonlyMap<string, Wanted> {
    return new Map([...this.#begun].map(([id, { wanted }]) => [id, wanted]));
  }

  /** Nothing of the session runs any more. */
  over(sessionId: string): void {
    this.#begun.delete(sessionId);
    this.parts.placement.release(sessionId);
  }
}

/** Why another node has not begun a session that may begin elsewhere. */
function whyElsewhere(error: unknown): 'unreached' | 'ending' {
  if (error instanceof NotReachedError) return 'unreached';
  if (error instanceof ServiceError && error.code === 'err_unavailable') return 'ending';
  throw error;
}
