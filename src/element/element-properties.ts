import type { PropertyDeclarations } from 'lit';
import { choice, loudness } from '../viewer/choice.js';
import { FITS } from '../core/index.js';
import { aliasesOf } from './attribute-aliases.js';
import { flag, isOn } from './flag-attribute.js';

/** Property declarations for Lit, with the attributes that set the properties. */
export const PROPERTIES = {
  embedUrl: { attribute: 'embed-url' },
  fit: { reflect: true, useDefault: true },
  resizeMode: { attribute: 'resize' },
  viewOnly: flag('view-only'),
  videoPaused: flag('video-paused'),
  volume: {},
  muted: flag('muted'),
  delegateKeyboard: flag('delegate-keyboard'),
  keyboardButton: flag('keyboard-button'),
  accessibility: {},
  label: {},
  userdata: { attribute: false },
  adminToken: { attribute: 'admin-token' },
  texts: { attribute: false },
} as const satisfies PropertyDeclarations;

/**
 * Default values. They also replace null and undefined, which frameworks set for values that are not
 * available yet.
 */
export const DEFAULTS = {
  embedUrl: '',
  fit: 'contain',
  resizeMode: 'none',
  viewOnly: false,
  videoPaused: false,
  volume: 1,
  muted: false,
  delegateKeyboard: false,
  keyboardButton: false,
  accessibility: 'none',
  label: '',
  texts: {},
} as const;

const ALIASES = aliasesOf(PROPERTIES);

/** Attributes to observe in addition to the attributes of {@link PROPERTIES}. */
export const aliases: readonly string[] = [...ALIASES.keys()];

/** Returns the attribute for an alternative spelling. */
export const attributeOf = (name: string): string => ALIASES.get(name) ?? name;

/**
 * Returns the value that a property gets. Null and undefined become the default. An invalid value of `fit`,
 * `resizeMode`, `accessibility` or `volume` also becomes the default, with a warning. Flags become booleans.
 * Values of other properties are not checked.
 */
function allowed(name: string, value: unknown): unknown {
  switch (name) {
    case 'fit':
      return choice('fit', value, FITS, DEFAULTS.fit);
    case 'resizeMode':
      return choice('resize', value, ['none', 'auto'], DEFAULTS.resizeMode);
    case 'accessibility':
      return choice('accessibility', value, ['none', 'ask', 'mirror'], DEFAULTS.accessibility);
    case 'volume':
      return loudness('volume', value);
    default: {
      const fallback = hasProperty(name) ? DEFAULTS[name] : undefined;
      return typeof fallback === 'boolean' ? isOn(name, value) : (value ?? fallback);
    }
  }
}

/**
 * Wraps the setters of an element's class, so that missing and invalid values become the default. React and
 * Vue set an attribute as a property if the element has a member with its name. For the attribute `resize`
 * this member is a method. Without a setter they would replace the method.
 */
export function guardProperties(prototype: { resize: unknown; resizeMode: unknown }): void {
  for (const name of Object.keys(DEFAULTS)) {
    const made = Object.getOwnPropertyDescriptor(prototype, name);
    if (!made?.set) continue;
    const guarded = function (this: object, value: unknown): void {
      made.set?.call(this, allowed(name, value));
    };
    Object.defineProperty(prototype, name, { ...made, set: guarded });
  }
  const method = prototype.resize;
  Object.defineProperty(prototype, 'resize', {
    configurable: true,
    get: () => method,
    set(this: typeof prototype, mode: unknown) {
      this.resizeMode = mode;
    },
  });
}

/** Sets properties without a value to their default. */
export function fillDefaults(element: { -readonly [Name in keyof typeof DEFAULTS]: unknown }): void {
  for (const [name, value] of Object.entries(DEFAULTS)) if (hasProperty(name)) element[name] ??= value;
}

function hasProperty(name: PropertyKey): name is keyof typeof DEFAULTS {
  return name in DEFAULTS;
}
