import { noArguments } from '../../room/calls/arguments.js';
import { WORK } from '../../room/calls/call-lane.js';
import {
  callerCanUse,
  forAll,
  forRole,
  viewerOf,
  type ActingAgent,
  type Caller,
} from '../../room/calls/access.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';
import { fetchingAgent, type Fetcher } from './file-access.js';
import { choiceOf, idOf, offerOf, stagedOf } from './file-arguments.js';
import type { SessionFiles } from './session-files.js';

const maySend = forRole('file_upload');
const mayFetch = forRole('file_download');

/**
 * Adds the `files.*` calls. A user without the role may subscribe to events, because roles can change. The
 * user receives no events before they get the role.
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
  calls.add('files.list', { access: mayFetch, check: noArguments }, async (_, caller) => {
    // Waits until pages can offer files. Otherwise a file that a page offers right after the answer would be
    // lost.
    await files.letDownload();
    // The user may have lost the role meanwhile, or another user's privacy mode may have begun.
    mayFetch(caller);
    return files.downloads.list();
  });
  calls.add('files.ticket', { access: mayFetch, check: idOf, cost: WORK }, ([id], caller) => {
    if (caller.acting) files.checkPrint(caller.acting.agent, id);
    return files.downloads.ticket(id, fetcherOf(caller, files));
  });
  calls.add('files.stage', { access: forAgents, check: stagedOf, cost: WORK }, ([file], caller) =>
    files.stage(actingOf(caller), file),
  );
  const kept = { access: forAgents, check: idOf, cost: WORK };
  calls.add('files.keep', kept, ([id]) => files.agents.kept.keep(id));
  calls.add('files.discard', kept, ([id]) => files.agents.kept.discard(id));
  calls.add('files.choose', { access: forAgents, check: choiceOf }, ([ids, timeout], caller) =>
    files.agents.choose(actingOf(caller), ids, timeout, caller.leaving),
  );
  calls.add('files.remove', { access: mayFetch, check: idOf }, ([id]) => files.downloads.remove(id));
  for (const event of ['onChooser', 'onChooserClosed', 'onDownload', 'onRemoved'] as const)
    calls.addEvent(`files.${event}`, ({ viewer }) => {
      // The subscription must exist before the first event is published.
      if (viewer && event === 'onChooser') queueMicrotask(() => files.tellChoosers(viewer));
      // Waits until pages can offer files. The viewer receives the answer after that.
      return event === 'onDownload' ? files.letDownload() : undefined;
    });
}

/** Returns the receiver of a download. Throws `CallError` if a backend calls without a program. */
function fetcherOf(caller: Caller, files: Pick<SessionFiles, 'fetchingUser'>): Fetcher {
  const { acting } = caller;
  return acting ? fetchingAgent(acting) : files.fetchingUser(viewerOf(caller), caller.admin);
}

/** Returns the agent that calls. Throws `CallError` for all other callers. */
function actingOf({ acting }: Caller): ActingAgent {
  if (acting) return acting;
  throw new CallError('err_forbidden', 'Only programs call this method, over HTTP or MCP.');
}

/** Throws `CallError` for a caller that is not an agent. */
function forAgents(caller: Caller): void {
  actingOf(caller);
}
