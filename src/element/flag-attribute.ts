import type { PropertyDeclaration } from 'lit';
import { warnOf } from '../viewer/choice.js';

export { warnOf };

/**
 * Declares a boolean attribute. The flag is off if the attribute is absent or `false`. Vue and Svelte write
 * `false` instead of removing the attribute.
 */
export const flag = (attribute: string) =>
  ({
    attribute,
    reflect: true,
    // Without this, the first update adds the attribute to an element that has an alternative spelling of it.
    // Frameworks report this as a difference from their markup when they hydrate it.
    useDefault: true,
    converter: {
      fromAttribute: (value: string | null) => isOn(attribute, value),
      toAttribute: (on: unknown) => (on ? '' : null),
    },
  }) as const satisfies PropertyDeclaration;

/**
 * True if the value of a flag turns it on. Templates may set a property to the text of the attribute, so
 * texts have the same meaning for both. Logs a warning for other texts, which turn the flag on.
 */
export function isOn(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return Boolean(value);
  const on = value !== 'false';
  if (on && !['', 'true', name].includes(value)) warnOf(name, value, 'true or false', on);
  return on;
}
