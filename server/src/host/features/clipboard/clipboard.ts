import { isClipboardChunk } from 'cloud-browser/protocol';
import type { MakeFeature } from '../feature.js';
import { ClipboardDesk } from './clipboard-desk.js';

/** The clipboard between users and the browser: `clipboard.*`, transfers in chunks, and pasting. */
export const clipboard: MakeFeature = ({ calls, users, devices }) => {
  const desk = new ClipboardDesk(calls, users.roster, devices.clipboard);
  return {
    useDevices: (next) => desk.use(next.clipboard),
    viewerLeft: (viewer) => desk.forget(viewer),
    takeMessage: (viewer, message) => {
      switch (message.type) {
        case 'clipboard-offer':
        case 'clipboard-ack':
        case 'clipboard-refused':
          desk.take(viewer, message);
          return true;
        default:
          return undefined;
      }
    },
    expectsBytes: (viewer, bytes) => desk.expects(viewer, bytes),
    takeBytes: (viewer, bytes) => {
      if (!isClipboardChunk(bytes)) return false;
      desk.push(viewer, bytes);
      return true;
    },
    perform: (viewer, event, done) => {
      if (event.type !== 'paste') return undefined;
      const brought = desk.brought(viewer, event.transfer);
      return !brought || viewer.input.paste(event, brought, done);
    },
  };
};
