import { Type, type Static } from 'typebox';
import { urlPattern } from '../../platform/network/url-glob.js';
import { invalidParameter } from '../../service-error.js';
import { exact, expected } from '../expected.js';
import { isSelectorList } from './selector-syntax.js';

/** Elements that are masked on some pages: only users with the role `field_masking` may write to them. */
export interface FieldMask {
  /** Globs of the addresses of these pages, see `urlPattern`. */
  matches: readonly string[];
  /** CSS selectors. Elements inside a matching element are masked too. */
  selectors: readonly string[];
}

const SHAPE = '[{matches: [URL glob, …], selectors: [CSS selector, …]}, …]';
const MAX_RULES = 100;
const MAX_ENTRIES = 100;
const MAX_CHARS = 1_000;
/**
 * Beginnings of globs that can match the address of a page. A glob with another beginning is refused. It
 * matches no page, so the fields that it should protect would stay open.
 */
const BEGINNING = /^(?:\*|https?:|https?\*|<all_urls>$)/i;

const entries = (description: string, words: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHARS, ...expected(words) }), {
    minItems: 1,
    maxItems: MAX_ENTRIES,
    description,
    ...expected(`a list of 1 to ${MAX_ENTRIES}, each ${words}`),
  });

/**
 * A rule: on pages whose address matches one of the globs, the elements that match one of the selectors are
 * masked.
 */
const FieldMaskingRule = Type.Object(
  {
    matches: entries(
      'Globs of addresses, such as *://example.com/*.',
      'a URL glob such as *://example.com/*',
    ),
    selectors: entries('CSS selectors.', 'a CSS selector'),
  },
  { ...expected(`an object with matches and selectors: ${SHAPE}`) },
);

/**
 * The creation field `field_masking`. The service does not drop an empty value or an invalid rule, because
 * fields that should be masked would then stay open.
 */
export const FieldMasking = Type.Array(FieldMaskingRule, {
  maxItems: MAX_RULES,
  description: `Elements that only users with the role field_masking may write to: ${SHAPE}.`,
  ...exact,
  ...expected(`a list of at most ${MAX_RULES} rules: ${SHAPE}`),
});

/**
 * Returns the rules of a request. Throws {@link ServiceError} if a glob can match no address, or a selector
 * is invalid.
 */
export function maskingRulesOf(asked: Static<typeof FieldMasking>): FieldMask[] {
  for (const [index, { matches, selectors }] of asked.entries()) {
    for (const [entry, glob] of matches.entries())
      if (!canMatch(glob))
        throw invalidParameter(
          `field_masking.${index}.matches.${entry}`,
          'a URL glob that can match whole addresses, such as *://example.com/*',
        );
    for (const [entry, selector] of selectors.entries())
      if (!isSelectorList(selector))
        throw invalidParameter(`field_masking.${index}.selectors.${entry}`, 'a CSS selector');
  }
  return asked.map(({ matches, selectors }) => ({ matches, selectors }));
}

function canMatch(glob: string): boolean {
  return BEGINNING.test(glob) && !/\s/.test(glob) && urlPattern(glob) !== undefined;
}
