import { parentOf } from './tree.js';

/** Selector for every element, used if a selector is invalid. */
const EVERYTHING = '*';

/**
 * Knows the masked elements of this page. A mask applies if its URL patterns match the URL of this frame or
 * of a frame around it. It covers everything inside the elements that its selectors find.
 */
export class Masks {
  /** The URLs for which the selectors were chosen. */
  #address: string | undefined;
  /** The frames around this one whose URL is available. */
  readonly #around = framesAround().filter((frame) => hrefOf(frame) !== undefined);
  #selectors: string | undefined;
  #invalid: string | undefined;

  constructor(private readonly masks: readonly FocusMask[]) {}

  /** True if any element of this page can be masked. */
  get any(): boolean {
    return this.#current() !== undefined;
  }

  /** The selector of this page that the browser does not accept. Every element is masked then. */
  get invalid(): string | undefined {
    this.#current();
    return this.#invalid;
  }

  covers(element: Element): boolean {
    const selectors = this.#current();
    if (selectors === undefined) return false;
    for (let at: Element | undefined = element; at; at = parentOf(at)) if (at.matches(selectors)) return true;
    return false;
  }

  /** True if a rule names this element itself. */
  matches(element: Element): boolean {
    const selectors = this.#current();
    return selectors !== undefined && element.matches(selectors);
  }

  /** True if a masked element is in the part of a document that a range covers. */
  meets(range: AbstractRange, within: Element): boolean {
    const selectors = this.#current();
    if (selectors === undefined) return false;
    const ends = [range.startContainer, range.endContainer];
    const elements = ends.flatMap((node) => (node instanceof Element ? node : (node.parentElement ?? [])));
    if (elements.some((element) => this.covers(element))) return true;
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    return [...within.querySelectorAll(selectors)].some((element) => live.intersectsNode(element));
  }

  /** Returns the selectors for the present URLs. A page may change its URL without being loaded. */
  #current(): string | undefined {
    const address = [location.href, ...this.#around.map(hrefOf)].join(' ');
    if (this.#address === address) return this.#selectors;
    this.#address = address;
    const around = addressesAround();
    const counting = this.masks.filter((mask) => around.some((address) => counts(mask, address)));
    this.#selectors = this.#joined(counting.flatMap(({ selectors }) => selectors));
    return this.#selectors;
  }

  #joined(selectors: readonly string[]): string | undefined {
    this.#invalid = undefined;
    if (selectors.length === 0) return undefined;
    const probe = document.createDocumentFragment();
    for (const selector of selectors) {
      try {
        probe.querySelector(selector);
      } catch {
        this.#invalid = selector;
        return EVERYTHING;
      }
    }
    return selectors.join(',');
  }
}

/** The URL of a frame, complete or only its site; undefined if it is unknown. */
type Address = { whole: string } | { site: string } | undefined;

function counts({ addresses }: FocusMask, address: Address): boolean {
  if (!address) return true;
  return addresses.some(({ whole, site }) =>
    'whole' in address
      ? new RegExp(whole, 'i').test(address.whole)
      : new RegExp(site, 'i').test(address.site),
  );
}

/**
 * Returns the URLs of this frame and of all frames around it. For a frame of another origin only the site is
 * available.
 */
function addressesAround(): Address[] {
  const others = ancestors();
  const known: Address[] = [ownAddress(location.href)];
  // An empty document got its content from the frame around it, so that frame's URL applies.
  if (known[0] === undefined && others.length > 0) known.shift();
  return [...known, ...others.map((other) => (typeof other === 'string' ? ownAddress(other) : other))];
}

function ownAddress(href: string): Address {
  const address = href.replace(/^blob:/, '').replace(/#.*$/, '');
  return /^(about|data):/.test(address) ? undefined : { whole: address };
}

function ancestors(): (string | Address)[] {
  return framesAround().map((frame, index) => hrefOf(frame) ?? siteOf(location.ancestorOrigins[index]));
}

function framesAround(): Window[] {
  const found: Window[] = [];
  for (let frame: Window = window; frame.parent !== frame; frame = frame.parent) found.push(frame.parent);
  return found;
}

function hrefOf(frame: Window): string | undefined {
  try {
    return frame.location.href;
  } catch {
    return undefined;
  }
}

function siteOf(origin: string | undefined): Address {
  return origin === undefined || origin === 'null' ? undefined : { site: `${origin}/` };
}
