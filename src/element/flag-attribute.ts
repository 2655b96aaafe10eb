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
    converter: {
      fromAttribute(value: string | null) {
        const on = value !== null && value !== 'false';
        if (on && !['', 'true', attribute].includes(value))
          warnOf(attribute, value, 'it without a value, or "false"', on);
        return on;
      },
      toAttribute: (on: unknown) => (on ? '' : null),
    },
  }) as const satisfies PropertyDeclaration;
