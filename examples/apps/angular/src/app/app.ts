import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import 'cloud-browser/element';
import type { StateChangeEvent } from 'cloud-browser/element';

/**
 * Shows the session that the backend has. Angular takes tags that it does not know with
 * CUSTOM_ELEMENTS_SCHEMA.
 */
@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <cloud-browser
      style="display: block; aspect-ratio: 16 / 9"
      [embedUrl]="embedUrl()"
      (statechange)="changed($event)"
    ></cloud-browser>
    <p id="state">{{ state() }}</p>
  `,
})
export class App {
  readonly embedUrl = signal('');
  readonly state = signal('idle');

  constructor() {
    void this.#load();
  }

  changed(event: Event): void {
    this.state.set((event as StateChangeEvent).state);
  }

  async #load(): Promise<void> {
    const response = await fetch('/api/session', { method: 'POST' });
    if (!response.ok) throw new Error(`The backend answered ${response.status}.`);
    const { embedUrl } = (await response.json()) as { embedUrl: string };
    this.embedUrl.set(embedUrl);
  }
}
