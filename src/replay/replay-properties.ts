import type { PropertyDeclarations } from 'lit';
import { flag } from '../element/flag-attribute.js';

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
