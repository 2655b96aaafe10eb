import { noArguments } from '../../room/calls/arguments.js';
import { WORK } from '../../room/calls/call-lane.js';
import { callerCanUse, forAll, forRole, viewerOf, type Caller } from '../../room/calls/access.js';
import type { Calls } from '../../room/calls/calls.js';
import { fetchingAgent, type Fetcher } from './file-access.js';
import { idOf, offerOf } from './file-arguments.js';
import type { SessionFiles } from './session-files.js';

const maySend = forRole('file_upload');
const mayFetch = forRole('file_download');

/**
 * Adds the `files.*` calls. A user without the role may subscribe to events, because roles can change. Until
 * then the user receives no events.
 */
export function addFileCalls(calls: Calls, files: SessionFiles): void {
  calls.add('files.offer', { access: maySend, check: offerOf, cost: WORK }, ([target, offered], caller) =>
    files.offer(viewerOf(caller), caller.admin, target, offered),
  );
  calls.add('files.finish', { access: maySend, check: idOf, cost: WORK }, ([upload], caller) =>
    files.finish(viewerOf(caller), upload),
  );
  // Every user may cancel their own transfers.
  calls.add('files.cancel', { access: forAll, check: idOf }, ([id], caller) =>
    files.cancel(caller.viewer, callerCanUse(caller, 'file_download'), id),
  );
  calls.add('files.list', { access: mayFetch, check: noArguments }, async () => {
    // Waits, so that a file that a page offers right after the answer is not lost.
    await files.letDownload();
    return files.downloads.list();
  });
  calls.add('files.ticket', { access: mayFetch, check: idOf, cost: WORK }, ([id], caller) =>
    files.downloads.ticket(id, fetcherOf(caller, files)),
  );
  calls.add('files.remove', { access: mayFetch, check: idOf }, ([id]) => files.downloads.remove(id));
  for (const event of ['onChooser', 'onChooserClosed', 'onDownload', 'onRemoved'] as const)
    calls.addEvent(`files.${event}`, ({ viewer }) => {
      // The subscription must exist before the first event is published.
      if (viewer && event === 'onChooser') queueMicrotask(() => files.tellChoosers(viewer));
      // After this answer, pages can offer files to this viewer if the viewer has the role.
      return event === 'onDownload' ? files.letDownload() : undefined;
    });
}

/** Returns the receiver of a download. Throws `CallError` for a backend that calls for no program. */
function fetcherOf(caller: Caller, files: Pick<SessionFiles, 'fetchingUser'>): Fetcher {
  const { acting } = caller;
  return acting ? fetchingAgent(acting) : files.fetchingUser(viewerOf(caller), caller.admin);
}
