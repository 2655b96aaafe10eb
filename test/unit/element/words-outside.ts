import ts from 'typescript';

/** Attributes and properties that people read or hear. */
const SPOKEN = new Set(
  [
    ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'aria-placeholder'],
    ...['title', 'placeholder', 'alt', 'label', 'value'],
  ].flatMap((name) => [name, name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())]),
);
/** Properties and functions that display their value. */
const SHOWN = new Set([...SPOKEN, 'textContent', 'innerText', 'innerHTML']);
const CALLS = new Set(['notify', 'alert', 'confirm', 'prompt']);
/** Two adjacent letters count as a word. Signs and single letters do not. */
const WORD = /\p{L}{2}/u;
/** Text that begins like a sentence is for people, except in an error, which is for developers. */
const SENTENCE = /^\p{Lu}\p{L}*[ ,].*\p{L}{2}|^\p{Lu}\p{Ll}{2,}[.…!?]?$/u;
/** Stands for an expression in a template. */
const GAP = '\u0000';

/**
 * Returns the literal texts for people in a module, in the order of the code: in Lit templates, and where an
 * element receives a text.
 */
export function wordsOutside(code: string): string[] {
  const source = ts.createSourceFile('module.ts', code, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const take = (text: string): void => {
    for (const part of text.split(GAP)) if (WORD.test(part)) found.push(part.trim());
  };
  /** Returns the possible texts of an expression, without those of its condition. */
  const takeValue = (node: ts.Expression): void => {
    if (ts.isStringLiteralLike(node)) take(node.text);
    else if (ts.isTemplateExpression(node)) take(textsOf(node).join(GAP));
    else if (ts.isParenthesizedExpression(node)) takeValue(node.expression);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(takeValue);
    else if (ts.isBinaryExpression(node)) [node.left, node.right].forEach(takeValue);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html') takeTemplate(node.template);
    else if (ts.isBinaryExpression(node) && isSpokenTarget(node)) takeValue(node.right);
    else if (ts.isCallExpression(node)) takeCall(node);
    else if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error')) return;
    else if (ts.isStringLiteralLike(node) && isHeld(node) && SENTENCE.test(node.text)) take(node.text);
    ts.forEachChild(node, visit);
  };
  const takeTemplate = (template: ts.TemplateLiteral): void => {
    const markup = textsOf(template).join(GAP);
    const values = ts.isTemplateExpression(template) ? template.templateSpans : [];
    let gap = 0;
    let tag = '';
    for (const piece of markup.split(/(<[^>]*>)/)) {
      const isTag = piece.startsWith('<');
      if (isTag) takeTag(piece);
      else take(piece);
      for (const part of piece.split(GAP).slice(0, -1)) {
        tag = isTag ? (/([\w-]+)=["']?[^\s"']*$/.exec(part)?.[1] ?? '') : '';
        const value = values[gap++]?.expression;
        if (value && (!isTag || SPOKEN.has(tag))) takeValue(value);
      }
    }
  };
  const takeTag = (tag: string): void => {
    for (const [, name = '', double, single] of tag.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g))
      if (SPOKEN.has(name)) take(double ?? single ?? '');
  };
  const takeCall = ({ expression, arguments: [first, second] }: ts.CallExpression): void => {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    if (CALLS.has(name) && first) takeValue(first);
    const attribute = first && ts.isStringLiteralLike(first) ? first.text : '';
    if (name === 'setAttribute' && second && SPOKEN.has(attribute)) takeValue(second);
  };
  visit(source);
  return found;
}

/** The value of a variable, a property or an element of a list. */
function isHeld({ parent }: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isPropertyDeclaration(parent)
  );
}

function isSpokenTarget({ left, operatorToken }: ts.BinaryExpression): boolean {
  return (
    operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(left) &&
    SHOWN.has(left.name.text)
  );
}

function textsOf(template: ts.TemplateLiteral): string[] {
  if (!ts.isTemplateExpression(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}
