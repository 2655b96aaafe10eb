/** Takes comments and needless white space out of the CSS of a module's `css` templates. */
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

/** Takes the indentation out of a module with `html` templates, where it would become text between elements. */
export function slimMarkup(code) {
  return code.includes('html`') ? code.replace(/\n\s+/g, '\n') : code;
}

/** A Vite plugin: minifiers leave the content of templates as it is, and readers of the source want its comments. */
export function slimStylesPlugin() {
  return {
    name: 'slim-styles',
    enforce: 'pre',
    transform(code, id) {
      return /\/src\/.*\.ts$/.test(id) ? { code: slimMarkup(slimStyles(code)), map: null } : undefined;
    },
  };
}
