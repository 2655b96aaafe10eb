import { find, make } from '../dom.js';
import type { SavedSession } from './session-keeper.js';

/** Shows information about the running session beside the stage. */
export class SessionCard {
  readonly #card = find('.session-card');

  show(saved: SavedSession | undefined): void {
    this.#card.hidden = !saved;
    if (!saved) return;
    const { session, request, firstPictureIn } = saved;
    const facts: [string, string][] = [
      ['Screen', `${request.width} × ${request.height}`],
      ['Frame rate', `up to ${request.fps} /s`],
      ['Mode', request.kiosk ? 'Kiosk' : 'Browser with tabs'],
      ['First picture after', firstPictureIn ? `${(firstPictureIn / 1000).toFixed(2)} s` : '…'],
      ['Session', session.session_id],
    ];
    find('.facts', this.#card).replaceChildren(...facts.map(([name, value]) => fact(name, value)));
  }
}

function fact(name: string, value: string): HTMLElement {
  const text = make('dd', 'fact-value', value);
  text.title = value;
  return make('div', 'fact', make('dt', 'fact-name', name), text);
}
