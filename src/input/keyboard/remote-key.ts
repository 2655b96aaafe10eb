/** A key for the remote browser. */
export interface RemoteKey {
  /** Physical key, as `KeyboardEvent.code`. May be empty. */
  code: string;
  /** Key value in the user's layout, as `KeyboardEvent.key`. */
  key: string;
  /** Bits of the protocol's `Modifier`. */
  modifiers: number;
}
