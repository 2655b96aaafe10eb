import type { PropertyDeclarations } from 'lit';

/** The element's properties as Lit takes them, with the attributes that set them. */
export const PROPERTIES = {
  embedUrl: { attribute: 'embed-url' },
  fit: { reflect: true, useDefault: true },
  resizeMode: { attribute: 'resize' },
  viewOnly: { attribute: 'view-only', type: Boolean, reflect: true },
  videoPaused: { attribute: 'video-paused', type: Boolean, reflect: true },
  volume: { type: Number },
  muted: { type: Boolean, reflect: true },
  delegateKeyboard: { attribute: 'delegate-keyboard', type: Boolean, reflect: true },
  keyboardButton: { attribute: 'keyboard-button', type: Boolean, reflect: true },
  label: {},
  userdata: { attribute: false },
  adminToken: { attribute: 'admin-token' },
  texts: { attribute: false },
} as const satisfies PropertyDeclarations;

/** What a property is that nobody set, or that was set to null or undefined, as frameworks do with what is not known yet. */
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
  label: 'Remote browser',
  texts: {},
} as const;

/**
 * Attributes that a server's rendering writes by the names of properties, which HTML has in lower case, and what they stand for:
 * `embedurl` for `embed-url`. React does not set the properties again when it takes over such markup.
 */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(PROPERTIES).flatMap(([property, declaration]): [string, string][] => {
    if (!('attribute' in declaration) || declaration.attribute === false) return [];
    const alias = property.toLowerCase();
    return alias === declaration.attribute ? [] : [[alias, declaration.attribute]];
  }),
);

/** The attributes to be told of beside those of {@link PROPERTIES}. */
export const aliases: readonly string[] = [...ALIASES.keys()];

/** The attribute that another spelling of it stands for. */
export const attributeOf = (name: string): string => ALIASES.get(name) ?? name;

/** Gives properties without a value their default. */
export function fillDefaults(element: { -readonly [Name in keyof typeof DEFAULTS]: unknown }): void {
  for (const [name, value] of Object.entries(DEFAULTS)) {
    if (hasProperty(name) && (element[name] ?? undefined) === undefined) element[name] = value;
  }
}

function hasProperty(name: string): name is keyof typeof DEFAULTS {
  return name in DEFAULTS;
}
