/** Returns the anchor of a heading, in the form of code hosts. So a link works there and in the site. */
export const slug = (title) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
