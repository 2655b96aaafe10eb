/** Takes comments and needless white space out of the CSS of a module's `css` templates. */
export function slimStyles(code) {
  return code.replace(/\bcss`[^`]*`/g, (style) =>
    style
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1'),
  );
}

/** A Vite plugin: minifiers leave the content of templates as it is, and readers of the source want its comments. */
export function slimStylesPlugin() {
  return {
    name: 'slim-styles',
    enforce: 'pre',
    transform(code, id) {
      return /\/src\/.*\.ts$/.test(id) && code.includes('css`')
        ? { code: slimStyles(code), map: null }
        : undefined;
    },
  };
}
