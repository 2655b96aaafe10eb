/** A key as the remote side is to see it. */
export interface RemoteKey {
  /** The physical key, as `KeyboardEvent.code`; may be empty. */
  code: string;
  /** What the user's layout makes of it, as `KeyboardEvent.key`. */
  key: string;
  /** Bits of the protocol's `Modifier`. */
  modifiers: number;
}
