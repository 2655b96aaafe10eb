/** The one element that a selector names. The page is static: a missing element is a mistake in it. */
export function find(selector: string, root: ParentNode = document): HTMLElement {
  return findA(HTMLElement, selector, root);
}

/** As {@link find}, of one kind. */
export function findA<T extends Element>(
  kind: new () => T,
  selector: string,
  root: ParentNode = document,
): T {
  const element = root.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} ${selector}.`);
  return element;
}

/** A new element with text or children. */
export function make(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** Calls `run` when a `data-action` button of this name is pressed. */
export function onAction(name: string, run: (button: HTMLButtonElement) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(`[data-action='${name}']`)) {
    button.addEventListener('click', () => run(button));
  }
}
