import { noChange } from 'lit';
import { Directive, directive, type DirectiveResult, type ElementPart } from 'lit/directive.js';

/** Styles that place an element. */
export interface Place {
  left?: string;
  width?: string;
}

/**
 * Sets styles of an element by script. A style attribute, which Lit's `styleMap` writes at first, needs
 * `unsafe-inline` in the page's Content-Security-Policy.
 */
class PlacedDirective extends Directive {
  override update(part: ElementPart, [place]: [Place]): typeof noChange {
    if (part.element instanceof HTMLElement) Object.assign(part.element.style, place);
    return noChange;
  }

  override render(...[]: [Place]): typeof noChange {
    return noChange;
  }
}

/** Places an element: `<i ${placed({ left: '5%' })}>`. */
export const placed: (place: Place) => DirectiveResult = directive(PlacedDirective);
