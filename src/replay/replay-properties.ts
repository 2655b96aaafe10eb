import type { PropertyDeclarations } from 'lit';
import { aliasesOf } from '../element/attribute-aliases.js';
import { flag, isOn } from '../element/flag-attribute.js';

/** Property declarations for Lit, with the attributes that set the properties. */
export const REPLAY_PROPERTIES = {
  src: {},
  token: {},
  start: {},
  speed: { type: Number },
  skipIdle: flag('skip-idle'),
  captions: flag('captions'),
  eventList: flag('event-list'),
  autoplay: flag('autoplay'),
  muted: flag('muted'),
  label: {},
  texts: { attribute: false },
} as const satisfies PropertyDeclarations;

/** Maps alternative spellings of the attributes to the attributes. */
export const ALIASES = aliasesOf(REPLAY_PROPERTIES);

/** Default values. They also replace null and undefined, which frameworks set for missing values. */
export const REPLAY_DEFAULTS = {
  src: '',
  token: '',
  start: '',
  speed: 1,
  skipIdle: false,
  captions: false,
  eventList: false,
  autoplay: false,
  muted: false,
  label: '',
  texts: {},
} as const;

/**
 * Returns the value that a property gets. Null and undefined become the fallback. Flags become booleans, and
 * texts become numbers, because Vue and React set the text of an attribute as the property.
 */
export function usedValue(name: string, given: unknown, fallback: unknown): unknown {
  if (typeof fallback === 'boolean') return isOn(name, given);
  if (typeof fallback === 'number' && typeof given === 'string') return Number(given);
  return given ?? fallback;
}
