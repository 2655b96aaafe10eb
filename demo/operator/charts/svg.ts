const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Creates an SVG element. */
export function draw<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
  ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
