/** The anchor of a heading as code hosts write it, so that a link holds there and in the site. */
export const slug = (title) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
