import { TAB_METHODS } from 'cloud-browser/protocol';
import { Type } from 'typebox';
import { expected } from '../../../create-fields/expected.js';
import { oneOf } from '../../../create-fields/schema-parts.js';

/** The address of a method of `chrome.tabs`. */
export const TabMethodPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  method: oneOf(TAB_METHODS, { description: "A method of Chrome's chrome.tabs." }),
});

/** The address of a method for dialogs of pages. */
export const DialogMethodPath = Type.Object({
  address: TabMethodPath.properties.address,
  method: oneOf(['list', 'answer'] as const, {
    description: 'list: returns the open dialogs. answer: answers one.',
  }),
});

/** Positional arguments. */
export const TabArguments = Type.Array(Type.Unknown(), {
  maxItems: 16,
  description: 'The arguments, without a callback. Null for an omitted argument.',
  ...expected('a JSON array of at most 16 arguments'),
});

/** The return value of the method. */
export const TabResult = Type.Unknown({ description: 'The result; null when there is none.' });
