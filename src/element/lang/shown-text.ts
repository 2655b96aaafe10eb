/**
 * Characters that embed, override or isolate a direction of text. Such a character could reverse its text and
 * the sentence around it. The direction marks (U+200E, U+200F, U+061C) are not among them, because they do
 * not reverse text, and right-to-left texts need them.
 */
const TURNS_TEXT = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text of a page, program or user without the characters that turn the direction of text. */
export function shownText(text: string): string {
  return text.replace(TURNS_TEXT, '');
}
