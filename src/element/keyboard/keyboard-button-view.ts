import { css, html, nothing, type TemplateResult } from 'lit';
import type { CloudBrowserClient } from '../../core/index.js';
import type { Viewer } from '../../viewer/index.js';
import type { Words } from '../lang/texts.js';
import { ControlRole } from './control-role.js';

/** The part of the element that the button needs. */
interface KeyboardButtonHost {
  readonly words: Words;
  requestUpdate(): void;
}

const rolesOfClients = new WeakMap<CloudBrowserClient, ControlRole>();

/**
 * Renders a button that opens and closes a phone's keyboard. It also works if no remote text field has the
 * focus. Users who cannot have control get no button, because the session ignores what they type.
 */
export function keyboardButtonView(
  viewer: Viewer | undefined,
  host: KeyboardButtonHost,
): TemplateResult | typeof nothing {
  // Hides the button while the keyboard is open for a remote field. This field is just above the keyboard, so
  // the button would cover it. Phones have their own button to close the keyboard.
  const inWay = viewer?.keyboardOpen && viewer.client.remoteField;
  if (!viewer || inWay || !mayType(viewer.client, host)) return nothing;
  const label = host.words.say('keyboard');
  // The button must not take the focus from the field that the keyboard types into.
  const keep = (event: Event) => event.preventDefault();
  return html`<button
    class="keyboard"
    part="keyboard"
    type="button"
    aria-label=${label}
    title=${label}
    aria-pressed=${viewer.keyboardOpen}
    @mousedown=${keep}
    @click=${() => (viewer.keyboardOpen ? viewer.hideKeyboard() : viewer.showKeyboard())}
  >
    <slot name="keyboard">${ICON}</slot>
  </button>`;
}

/**
 * False if the user of a touch device cannot have control. True until the session has answered, and on other
 * devices.
 */
export function mayType(
  client: CloudBrowserClient,
  host: Pick<KeyboardButtonHost, 'requestUpdate'>,
): boolean {
  let role = rolesOfClients.get(client);
  // Other devices have no on-screen keyboard, so they need not ask the session.
  if (!role && matchMedia('(any-pointer: coarse)').matches) {
    role = new ControlRole(client, () => host.requestUpdate());
    rolesOfClients.set(client, role);
  }
  return role?.isPossible ?? true;
}

const ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <rect x="3" y="6" width="18" height="12" rx="2" />
  <path d="M7 10h.01M10.3 10h.01M13.7 10h.01M17 10h.01M7 14h.01M17 14h.01M10 14h4" />
</svg>`;

/** Styles of the keyboard button. It is visible on touch devices only. */
export const keyboardButtonStyles = css`
  .keyboard {
    display: none;
    grid-area: keys;
    justify-self: end;
    width: 44px;
    height: 44px;
    margin-block-start: 8px;
    margin-inline-start: 8px;
    padding: 10px;
    border-radius: 50%;
    background: rgb(28 31 38 / 0.72);
    color: #eceef2;
    box-shadow:
      0 0 0 1px rgb(255 255 255 / 0.12),
      0 2px 10px rgb(0 0 0 / 0.35);
    pointer-events: auto;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
  }

  .keyboard[aria-pressed='true'] {
    background: var(--_accent);
    color: #0f1115;
  }

  .keyboard svg {
    display: block;
    width: 100%;
    height: 100%;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  @media (forced-colors: active) {
    .keyboard[aria-pressed='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }

  @media (any-pointer: coarse) {
    :host([keyboard-button]) .keyboard {
      display: block;
    }
  }
`;
