/** Removes comments and unnecessary white space from the CSS in a module's `css` templates. */
export function slimStyles(code) {
  return code.replace(/\bcss`[^`]*`/g, (style) =>
    style
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1')
      .replaceAll(': ', ':')
      .replaceAll(';}', '}')
      .replace(/` | `/g, '`'),
  );
}

/** Removes the indentation in a module with `html` templates, where it would become text between elements. */
export function slimMarkup(code) {
  return code.includes('html`') ? code.replace(/\n\s+/g, '\n') : code;
}

/**
 * Returns a Vite plugin that shortens the templates. Minifiers do not change the content of templates, and
 * the comments are useful only in the source.
 */
export function slimStylesPlugin() {
  return {
    name: 'slim-styles',
    enforce: 'pre',
    transform(code, id) {
      return /\/src\/.*\.ts$/.test(id) ? { code: slimMarkup(slimStyles(code)), map: null } : undefined;
    },
  };
}
