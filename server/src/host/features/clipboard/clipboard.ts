import { isClipboardChunk } from 'cloud-browser/protocol';
import { dropContent } from '../../browser/files/drop-files.js';
import type { MakeFeature } from '../feature.js';
import { ClipboardService } from './clipboard-service.js';

/** The clipboard between users and the browser: `clipboard.*`, transfers in chunks, pasting and dropping. */
export const clipboard: MakeFeature = ({ calls, users, devices, session }) => {
  let current = devices;
  const service = new ClipboardService(calls, users.roster, devices.clipboard, {
    drop: async (at, items) => (await dropContent(current.pages, at, { items, files: [] })) !== undefined,
    kiosk: session.kiosk,
  });
  return {
    useDevices: (next) => {
      current = next;
      service.use(next.clipboard);
    },
    viewerLeft: (viewer) => service.forget(viewer),
    takeMessage: (viewer, message) => {
      switch (message.type) {
        case 'clipboard-offer':
        case 'clipboard-ack':
        case 'clipboard-refused':
          service.take(viewer, message);
          return true;
        default:
          return undefined;
      }
    },
    expectsBytes: (viewer, bytes) => service.expects(viewer, bytes),
    takeBytes: (viewer, bytes) => {
      if (!isClipboardChunk(bytes)) return false;
      service.push(viewer, bytes);
      return true;
    },
    perform: (viewer, event, done) => {
      if (event.type !== 'paste') return undefined;
      const brought = service.brought(viewer, event.transfer);
      return !brought || viewer.input.paste(event, brought, done);
    },
  };
};
