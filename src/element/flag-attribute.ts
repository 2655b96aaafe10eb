import type { PropertyDeclaration } from 'lit';
import { warnOf } from '../viewer/choice.js';

/**
 * Declares a boolean attribute. It is off if it is absent or has the value `false`, because Vue and Svelte
 * write this value.
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
