/** Styles of the tools. The page's styles do not apply here, and these do not apply to the page. */
export const STYLES = `
:host {
  all: initial;
  position: fixed;
  inset: 0;
  width: auto;
  height: auto;
  pointer-events: none;
  z-index: 2147483647;
}
.canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; }
.canvas.active { pointer-events: auto; cursor: crosshair; }
.toolbar {
  position: absolute; left: 50%; bottom: 16px; translate: -50% 0;
  display: flex; align-items: center; gap: 2px; padding: 5px;
  pointer-events: auto; user-select: none;
  font: 13px system-ui, sans-serif; color: #23272f;
  background: rgb(255 255 255 / 96%);
  border: 1px solid rgb(0 0 0 / 12%); border-radius: 12px;
  box-shadow: 0 4px 18px rgb(0 0 0 / 22%);
}
.toolbar.moved { translate: none; bottom: auto; }
button {
  all: unset; box-sizing: border-box; display: grid; place-items: center;
  width: 34px; height: 34px; border-radius: 8px; cursor: pointer;
}
button:hover { background: rgb(0 0 0 / 7%); }
button:focus-visible { outline: 2px solid #2563eb; outline-offset: -1px; }
button[aria-checked='true'] { background: #dbe7ff; color: #1d4ed8; }
button:disabled { opacity: 0.35; cursor: default; }
svg { width: 20px; height: 20px; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.grip { width: 20px; cursor: grab; color: #8a919e; touch-action: none; }
.grip svg { stroke-width: 3; }
.grip:active { cursor: grabbing; }
.swatch, .dot { width: 26px; }
.swatch::before { content: ''; width: 16px; height: 16px; border-radius: 50%; background: var(--colour); box-shadow: inset 0 0 0 1px rgb(0 0 0 / 20%); }
.dot::before { content: ''; width: var(--size); height: var(--size); border-radius: 50%; background: currentcolor; }
.line { width: 1px; height: 22px; margin: 0 4px; background: rgb(0 0 0 / 12%); }
@media (prefers-color-scheme: dark) {
  .toolbar { background: rgb(38 41 48 / 96%); color: #e8eaee; border-color: rgb(255 255 255 / 14%); }
  button:hover { background: rgb(255 255 255 / 10%); }
  button[aria-checked='true'] { background: #26406f; color: #bcd3ff; }
  .line { background: rgb(255 255 255 / 16%); }
}
`;
