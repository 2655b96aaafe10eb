import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { CloudBrowserClient, Role, SessionUser } from '../../src/index.js';
import { find } from '../dom.js';
import { attempt } from '../session/attempt.js';
import type { Crowd } from './crowd.js';
import type { Name } from './names.js';
import { ROLE_WORDS, standing } from './roles.js';

/** List of users. Switches their roles, gives them control and removes them. */
export class PeoplePanel {
  readonly #list = find('.people-list');
  readonly #heading = find('#people-heading');

  /** @param nameOf returns a user's name on this page */
  constructor(
    private readonly client: CloudBrowserClient,
    private readonly crowd: Crowd,
    private readonly nameOf: (userId: string) => Name,
  ) {}

  update(): void {
    const { users } = this.crowd;
    this.#heading.textContent = users.length > 0 ? `People (${users.length})` : 'People';
    const rows = repeat(
      users,
      ({ id }) => id,
      (user) => this.#row(user),
    );
    render(html`${rows}`, this.#list);
  }

  #row(user: SessionUser): TemplateResult {
    const { text, colour } = this.nameOf(user.id);
    const asks = this.crowd.asks(user.id);
    return html`<article class="person ${asks ? 'asks' : ''}" data-user=${user.id} aria-label=${text}>
      <span class="avatar" data-colour=${colour} aria-hidden="true">${text.charAt(0)}</span>
      <p class="person-name">
        <b>${text}</b>
        <span class="person-id" title=${user.id}>${user.id.slice(0, 8)}</span>
        <span class="badge ${user.controlling ? 'on' : ''}"
          >${asks ? 'Asks for control' : standing(user)}</span
        >
      </p>
      <div class="person-tools">${this.#tools(user, asks)}</div>
      <div class="roles" role="group" aria-label="Roles of ${text}">
        ${Object.entries(ROLE_WORDS).map(([role, words]) => this.#toggle(user, role as Role, words))}
      </div>
    </article>`;
  }

  #tools({ id }: SessionUser, asks: boolean): TemplateResult {
    const { users } = this.client;
    const isSelf = id === this.client.userId;
    const give = html`<button
      class="button small ${asks ? 'primary' : ''}"
      type="button"
      data-do="give"
      ?disabled=${this.crowd.isSole(id)}
      @click=${() => attempt(isSelf ? users.takeControl() : users.giveControl(id))}
    >
      ${isSelf ? 'Take control' : 'Give control'}
    </button>`;
    if (isSelf) return give;
    const kick = html`<button
      class="button small danger"
      type="button"
      data-do="kick"
      @click=${() => attempt(users.kick(id))}
    >
      Remove
    </button>`;
    const later = html`<button class="button small" type="button" @click=${() => this.crowd.dismiss(id)}>
      Not now
    </button>`;
    return html`${give}${asks ? later : nothing}${kick}`;
  }

  #toggle({ id, roles }: SessionUser, role: Role, { word, allows }: { word: string; allows: string }) {
    const held = roles.includes(role);
    const { users } = this.client;
    const change = () => attempt(held ? users.removeRoles([id], [role]) : users.addRoles([id], [role]));
    return html`<button
      class="role"
      type="button"
      data-role=${role}
      aria-pressed=${held ? 'true' : 'false'}
      title=${allows}
      @click=${change}
    >
      ${word}
    </button>`;
  }
}
