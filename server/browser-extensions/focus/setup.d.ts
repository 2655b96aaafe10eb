/** Settings that the host puts in front of the script; see `FocusWatch` and `FieldWatch` of the host. */
interface FocusSetup {
  /** One script does both, because the code for frames has to be one file. */
  readonly does: 'keeps-masks' | 'tells-fields';
  /**
   * Global name under which the host reaches {@link FocusGuard} or {@link FieldTeller}. It exists only in
   * this world, and no page can guess it.
   */
  readonly name: string;
  /** Global name of the function that sends a message to the host. */
  readonly tell: string;
  readonly masks: readonly FocusMask[];
}

/** Elements that are masked, by page. */
interface FocusMask {
  /**
   * Sources of regular expressions: for complete URLs without their fragment, and for scheme and host alone,
   * which end with `/`.
   */
  readonly addresses: readonly { readonly whole: string; readonly site: string }[];
  readonly selectors: readonly string[];
}

declare const SETUP: FocusSetup;
