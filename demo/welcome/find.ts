/** Returns an element of the page. Throws if it is missing or of another type. */
export function find<T extends Element>(type: new () => T, selector: string): T {
  const element = document.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${selector}.`);
  return element;
}
