/** Size of a letter in dots, with the space after it. */
export const LETTER_WIDTH = 6;
export const LETTER_HEIGHT = 7;

/** The letters of the title card, row by row. So the card needs no font file. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  A: [' ### ', '#   #', '#   #', '#####', '#   #', '#   #', '#   #'],
  C: [' ####', '#    ', '#    ', '#    ', '#    ', '#    ', ' ####'],
  D: ['#### ', '#   #', '#   #', '#   #', '#   #', '#   #', '#### '],
  E: ['#####', '#    ', '#    ', '#### ', '#    ', '#    ', '#####'],
  I: ['#####', '  #  ', '  #  ', '  #  ', '  #  ', '  #  ', '#####'],
  M: ['#   #', '## ##', '# # #', '#   #', '#   #', '#   #', '#   #'],
  N: ['#   #', '##  #', '# # #', '#  ##', '#   #', '#   #', '#   #'],
  O: [' ### ', '#   #', '#   #', '#   #', '#   #', '#   #', ' ### '],
  P: ['#### ', '#   #', '#   #', '#### ', '#    ', '#    ', '#    '],
  R: ['#### ', '#   #', '#   #', '#### ', '# #  ', '#  # ', '#   #'],
  T: ['#####', '  #  ', '  #  ', '  #  ', '  #  ', '  #  ', '  #  '],
  V: ['#   #', '#   #', '#   #', '#   #', '#   #', ' # # ', '  #  '],
  Y: ['#   #', '#   #', ' # # ', '  #  ', '  #  ', '  #  ', '  #  '],
};
const SPACE = Array<string>(LETTER_HEIGHT).fill('     ');

/** Returns the rows of a text. `#` is a dot. Unknown characters are spaces. */
export function letterRows(text: string): string[] {
  const letters = [...text].map((letter) => LETTERS[letter] ?? SPACE);
  return SPACE.map((_, row) => letters.map((rows) => `${rows[row] ?? ''} `).join(''));
}
