/**
 * The session that writes a profile, and the endpoint that receives an event if the data of the session is
 * not saved.
 */
export interface ProfileOwner {
  sessionId: string;
  /** Null if the customer has set no endpoint. */
  webhook: { url: string; bearer: string | null } | null;
}

/**
 * A note that the newest data of a profile is in a session's directory. If the service is killed, its next
 * process finds the note and saves this data.
 */
export interface ProfileWorkingCopy {
  profile: string;
  /** Null: an older version of the service wrote the note. */
  owner: ProfileOwner | null;
  /** True if the database has a claim for the profile. */
  claimed: boolean;
}

/**
 * Holder of a profile, as the caller sees it.
 * - `none`: no claim of another machine prevents the caller from using the profile.
 * - `session`: a session writes it.
 * - `left`: the newest data of the profile is on a machine that has no contact with the cluster, or that has
 *   only just rejoined the cluster.
 */
export type ClaimHolder = 'none' | 'session' | 'left';

/**
 * Reason why the newest data of a profile is not saved. `lost`: the machine with the data has lost it.
 * `given_up`: an operator has discarded the data.
 */
export type LossCause = 'lost' | 'given_up';

/** A profile whose newest data is lost. */
export interface LostProfile {
  profile: string;
  owner: ProfileOwner | null;
  cause: LossCause;
}

/** A profile whose newest data is on an unreachable machine. */
export interface UnsavedProfile {
  profile: string;
  /** Null if it is unknown. */
  sessionId: string | null;
  /** Code and name of the machine. The name is null if the cluster no longer knows the machine. */
  node: string;
  nodeName: string | null;
  /** Time at which the session that wrote the profile began. */
  since: Date;
}

/**
 * Claims on profiles, on all machines. A claim is the right of one session to save a profile. During the
 * claim, no other session can overwrite the profile with older data, or load old data as the newest. A claim
 * begins when the session starts, and continues while the machine has no contact with the cluster. It ends in
 * one of four ways: the data is saved, the session leaves no data, the machine rejoins the cluster without
 * the data, or an operator discards the data.
 */
export interface ProfileClaims {
  /** True if other machines see the claims, and claims outlive this process. */
  readonly shared: boolean;
  /**
   * Claims a profile for a session. The result `none` means that the session has the claim. The same session
   * may claim again.
   */
  claim(profile: string, owner: ProfileOwner): Promise<ClaimHolder>;
  /** Records that this machine has data of a killed service for the profile. Call before {@link start}. */
  keep(workingCopy: ProfileWorkingCopy): void;
  /**
   * Confirms a claim of this machine before the data of the session is saved. `held`: the claim is valid, so
   * the data can be saved. `saved`: the data is already saved. `gone`: an operator has discarded the data,
   * and the endpoint has received the event.
   *
   * @param hasLeft true if unsaved data is on this machine. Then no session may load the stored profile
   *   before this data is saved
   */
  confirm(workingCopy: ProfileWorkingCopy, hasLeft: boolean): Promise<'held' | 'saved' | 'gone'>;
  /** Returns the holder of the newest data of a profile. Call it before a session loads the profile. */
  holderOf(profile: string): Promise<ClaimHolder>;
  /** Releases a claim, at once or as soon as the database is reachable. */
  release(profile: string, sessionId: string | null): void;
  /**
   * Ends claims whose data is lost or discarded, now and at an interval. Reports the loss to `onLost` first.
   * If `onLost` rejects, it is called again later. Call `start` once.
   */
  start(onLost: (lost: LostProfile) => Promise<void>): Promise<void>;
  /**
   * Compares the claims of this machine with the data on this machine, and reports lost data. Never rejects.
   */
  reconcile(): Promise<void>;
  /** Returns profiles whose newest data is on unreachable machines. */
  unsaved(): Promise<UnsavedProfile[]>;
  /** Discards the newest data of a profile that {@link unsaved} returns. Returns false for other profiles. */
  giveUp(profile: string): Promise<boolean>;
}

/**
 * Value for a single machine, where claims are not necessary: `ProfileReservations` knows all sessions that
 * write profiles.
 */
export const NO_OTHER_CLAIMS: ProfileClaims = {
  shared: false,
  claim: () => Promise.resolve('none'),
  keep: () => undefined,
  confirm: () => Promise.resolve('held'),
  holderOf: () => Promise.resolve('none'),
  release: () => undefined,
  start: () => Promise.resolve(),
  reconcile: () => Promise.resolve(),
  unsaved: () => Promise.resolve([]),
  giveUp: () => Promise.resolve(false),
};
