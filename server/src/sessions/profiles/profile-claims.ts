/** The session that writes a profile, and the endpoint that receives an event if its data is not saved. */
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
 * Holder of a profile, seen from the caller.
 * - `none`: the profile is free, or the caller has it.
 * - `session`: a session writes it.
 * - `left`: its newest data is on a machine that has no contact with the cluster, or that has just come back.
 */
export type ClaimHolder = 'none' | 'session' | 'left';

/**
 * Reason why the newest data of a profile is not saved. `lost`: the disk of its machine is lost. `given_up`:
 * an operator has discarded it.
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
 * Claims on profiles, on all machines. A claim lasts from the start of a session until its data is saved. It
 * also lasts while the machine has no contact with the cluster. During the claim, no other session can
 * overwrite the profile with older data, or load old data as the newest. A claim ends in one of four ways:
 * the data is saved, the session leaves no data, the machine comes back without the data, or an operator
 * discards the data.
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
   * Confirms a claim of this machine before its data is saved. `saved`: the data is already saved. `gone`: an
   * operator has discarded it, and the endpoint has received the event.
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
   * Ends claims whose data no longer exists, now and from time to time. If `onLost` rejects, it is called
   * again later. Call once.
   */
  start(onLost: (lost: LostProfile) => Promise<void>): Promise<void>;
  /** Compares the claims of this machine with the data that it has. Never rejects. */
  reconcile(): Promise<void>;
  /** Returns profiles whose newest data is on unreachable machines. */
  unsaved(): Promise<UnsavedProfile[]>;
  /** Discards the newest data of a profile that {@link unsaved} returns. Returns false for other profiles. */
  giveUp(profile: string): Promise<boolean>;
}

/** Value for a single machine. There, `ProfileReservations` already knows all writing sessions. */
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
