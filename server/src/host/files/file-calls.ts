import { forAll, forRole, viewerOf } from '../room/calls/access.js';
import type { Calls } from '../room/calls/calls.js';
import type { SessionFiles } from './session-files.js';

const maySend = forRole('file_upload');
const mayFetch = forRole('file_download');

/** `files.*`: what users ask of the session's files. Who may not hear of an event subscribes to silence, since roles come and go. */
export function addFileCalls(calls: Calls, files: SessionFiles): void {
  calls.add('files.offer', maySend, ([target, offered], caller) =>
    files.offer(viewerOf(caller), caller.admin, target, offered),
  );
  calls.add('files.finish', maySend, ([upload], caller) => files.finish(viewerOf(caller), upload));
  // Everybody may give up what is theirs.
  calls.add('files.cancel', forAll, ([id], { viewer, admin }) => files.cancel(viewer, admin, id));
  calls.add('files.list', mayFetch, async () => {
    // What a page gives out behind the answer is not lost.
    await files.letDownload();
    return files.downloads.list();
  });
  calls.add('files.ticket', mayFetch, ([id], caller) => files.ticket(viewerOf(caller), caller.admin, id));
  calls.add('files.remove', mayFetch, ([id]) => files.downloads.remove(id));
  for (const event of ['onChooser', 'onChooserClosed', 'onDownload', 'onRemoved'] as const)
    calls.addEvent(`files.${event}`, ({ viewer, admin }) => {
      if (viewer && admin) viewer.admin = true;
      // Nothing is published to the viewer before the subscription is made.
      if (viewer && event === 'onChooser') queueMicrotask(() => files.tellChoosers(viewer));
    });
}
