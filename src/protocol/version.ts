/**
 * Version of the wire protocol. It increases if an old peer could misread a new message. Additions that an
 * old peer ignores (unknown JSON fields, unknown message types) do not change it.
 */
export const PROTOCOL_VERSION = 1;

/** The WebSocket subprotocol in the handshake. A peer with another version refuses the handshake. */
export const SUBPROTOCOL = `cloud-browser.v${PROTOCOL_VERSION}`;
