/** What the host says to the script, in front of it; see `FocusWatch` and `FieldWatch` of the host. */
interface FocusSetup {
  /** One program for both, since what is put into frames has to be one file. */
  readonly does: 'keeps-masks' | 'tells-fields';
  /** The global name, in this world alone, under which the host reaches {@link FocusGuard} or {@link FieldTeller}. Nobody else can guess it. */
  readonly name: string;
  /** The global name of the function that tells the host something. */
  readonly tell: string;
  readonly masks: readonly FocusMask[];
}

/** Which elements are masked on which pages. */
interface FocusMask {
  /** Sources of regular expressions for whole addresses without their fragment, and for scheme and host alone, which end with `/`. */
  readonly addresses: readonly { readonly whole: string; readonly site: string }[];
  readonly selectors: readonly string[];
}

declare const SETUP: FocusSetup;
