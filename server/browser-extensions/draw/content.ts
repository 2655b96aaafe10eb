import { Hand } from './hand.js';
import { Painter } from './painter.js';
import { Drawing } from './strokes.js';
import { STYLES } from './styles.js';
import { Toolbar } from './toolbar.js';

/** Adds the tools over the page, in a closed shadow tree that the page cannot access. */
function start(): void {
  const drawing = new Drawing();
  const painter = new Painter(drawing);
  const hand = new Hand(drawing, painter);
  const toolbar = new Toolbar(hand, drawing);

  const host = document.createElement('draw-on-page');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  root.append(painter.canvas, toolbar.element);

  const show = () => {
    painter.canvas.classList.toggle('active', hand.holding.tool !== null);
    toolbar.update();
  };
  toolbar.onChoice = show;
  drawing.onChange = () => {
    painter.refresh();
    toolbar.update();
  };
  // Handles keys before the page does, and only while a tool is selected.
  addEventListener(
    'keydown',
    (event) => {
      if (hand.holding.tool === null) return;
      const undo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
      if (undo) drawing.undo();
      else if (event.key === 'Escape') hand.holding.tool = null;
      else return;
      event.preventDefault();
      event.stopPropagation();
      show();
    },
    { capture: true },
  );
  document.documentElement.append(host);
}

// Pictures and XML documents have no place for elements.
if (document.documentElement instanceof HTMLElement) start();
