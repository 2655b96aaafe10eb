/**
 * The version of the wire protocol. It goes up when an old peer could misread a new message; additions that an old
 * peer ignores (unknown JSON fields, unknown message types) leave it alone.
 */
export const PROTOCOL_VERSION = 1;

/** The WebSocket subprotocol that both sides name in the handshake; a peer of another version refuses it. */
export const SUBPROTOCOL = `cloud-browser.v${PROTOCOL_VERSION}`;
