/** The sockets of the display's input devices, made by the server when it starts. */
export interface InputSockets {
  /** A screen to be touched; see `touch-screen.ts`. */
  touch: string;
  /** A mouse that never moves: see {@link inputConfig}. */
  mouse: string;
}

/**
 * The part of xorg.conf that plugs in a touch screen whose fingers come over a socket (inputtest(4), which every Xorg
 * brings along). A mouse is plugged in beside it, as on a laptop with such a screen: with a touch screen alone Chromium
 * would tell all pages that there is nothing to hover with. Mouse events themselves go by XTest.
 */
export function inputConfig({ touch, mouse }: InputSockets): string {
  return `
${device('touch', 'Touch', touch)}
${device('mouse', 'PointerAbsolute', mouse)}
Section "ServerLayout"
  Identifier "layout"
  Screen "screen"
  InputDevice "touch"
  InputDevice "mouse"
EndSection
`;
}

function device(name: string, type: string, socket: string): string {
  return `Section "InputDevice"
  Identifier "${name}"
  Driver "inputtest"
  Option "DeviceType" "${type}"
  Option "SocketPath" "${socket}"
EndSection`;
}
