/** Returns the single element of a selector. The page is static, so a missing element is a bug. */
export function find(selector: string, root: ParentNode = document): HTMLElement {
  return findA(HTMLElement, selector, root);
}

/** Returns the element like {@link find}, with a given type. */
export function findA<T extends Element>(
  kind: new () => T,
  selector: string,
  root: ParentNode = document,
): T {
  const element = root.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} ${selector}.`);
  return element;
}

/** Creates an element with text or children. */
export function make(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/**
 * Sets a text only if it changed: a screen reader announces every assignment, and a selection would be lost.
 */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Calls `run` when a `data-action` button of this name is clicked. */
export function onAction(name: string, run: (button: HTMLButtonElement) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(`[data-action='${name}']`)) {
    button.addEventListener('click', () => run(button));
  }
}
