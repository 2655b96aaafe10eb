import type { PropertyDeclaration, PropertyDeclarations } from 'lit';

/** On by the attribute; off without it, and by the text `false`, which Vue and Svelte write for it. */
const flag = (attribute: string) =>
  ({
    attribute,
    reflect: true,
    converter: {
      fromAttribute: (value: string | null) => value !== null && value !== 'false',
      toAttribute: (on: unknown) => (on ? '' : null),
    },
  }) as const satisfies PropertyDeclaration;

/** The element's properties as Lit takes them, with the attributes that set them. */
export const PROPERTIES = {
  embedUrl: { attribute: 'embed-url' },
  fit: { reflect: true, useDefault: true },
  resizeMode: { attribute: 'resize' },
  viewOnly: flag('view-only'),
  videoPaused: flag('video-paused'),
  volume: { type: Number },
  muted: flag('muted'),
  delegateKeyboard: flag('delegate-keyboard'),
  keyboardButton: flag('keyboard-button'),
  accessibility: {},
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
  accessibility: 'none',
  label: '',
  texts: {},
} as const;

/**
 * Other spellings of attributes, and what they stand for. A server's rendering writes the names of properties, which HTML has in
 * lower case: `embedurl` for `embed-url`; React does not set the properties again when it takes over such markup. Vue's templates
 * have them with dashes: `resize-mode` for `resize`.
 */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(PROPERTIES).flatMap(([property, declaration]): [string, string][] => {
    const attribute = 'attribute' in declaration && declaration.attribute;
    if (!attribute) return [];
    return [property.toLowerCase(), property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]
      .filter((alias) => alias !== attribute)
      .map((alias) => [alias, attribute]);
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
