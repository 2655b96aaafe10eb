import { Type, type Static } from 'typebox';
import type { FieldMask } from '../../host-protocol.js';
import { urlPattern } from '../../platform/url-glob.js';
import { invalidParameter } from '../../service-error.js';
import { expected } from './expected.js';
import { text } from './fields.js';

/** Masks of a session, and globs or selectors of each: every input of every page is held against all of them. */
const MAX_MASKS = 100;
const MAX_TEXTS = 200;
const MAX_CHARS = 2_000;

/** Elements that only some users may write into. A mistake here would leave a field open, so nothing is guessed. */
export const fieldMasking = Type.Array(
  Type.Object(
    {
      matches: Type.Array(text(1, MAX_CHARS, 'A glob of addresses, such as *://*.example.com/*.'), {
        minItems: 1,
        maxItems: MAX_TEXTS,
        description: 'On which pages, in which frames.',
      }),
      selectors: Type.Array(text(1, MAX_CHARS, 'A CSS selector.'), {
        minItems: 1,
        maxItems: MAX_TEXTS,
        description: 'Which elements, and all that is inside of them.',
      }),
    },
    { description: 'A mask.' },
  ),
  {
    maxItems: MAX_MASKS,
    description: 'Elements that take input only from users with the role field_masking; see the API guide.',
    ...expected(
      'a list of objects, each with matches (globs of addresses) and selectors (of CSS), both lists of texts',
    ),
  },
);

/** The masks that a customer asked for. Throws {@link ServiceError} when a glob is none. */
export function masksOf(asked: Static<typeof fieldMasking>): FieldMask[] {
  for (const [index, { matches, selectors }] of asked.entries()) {
    if (!matches.every((glob) => urlPattern(glob)))
      throw invalidParameter(`field_masking[${index}].matches`, 'globs such as *://*.example.com/*, or *');
    if (selectors.some((selector) => selector.trim() === ''))
      throw invalidParameter(`field_masking[${index}].selectors`, 'CSS selectors');
  }
  return asked.map(({ matches, selectors }) => ({ matches, selectors }));
}
