/**
 * Starts the slowest steps before the first picture while the page still loads: the connection, and the
 * detection of supported media. It is a small separate script, so that it does not wait for style sheets.
 */
import { openEarly } from '../core/connection/early-socket.js';
import { probeMedia } from '../media/support.js';

openEarly(location.href);
void probeMedia();
