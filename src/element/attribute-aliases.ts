import type { PropertyDeclarations } from 'lit';

/**
 * Maps alternative spellings to the attributes of an element. Server rendering writes property names in lower
 * case, for example `embedurl` for `embed-url`, and React does not correct them when it hydrates the markup.
 * Vue's templates write property names with dashes, for example `resize-mode` for `resize`.
 */
export function aliasesOf(properties: PropertyDeclarations): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(properties).flatMap(([property, { attribute }]): [string, string][] => {
      if (typeof attribute !== 'string') return [];
      return [property.toLowerCase(), property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]
        .filter((alias) => alias !== attribute)
        .map((alias) => [alias, attribute]);
    }),
  );
}
