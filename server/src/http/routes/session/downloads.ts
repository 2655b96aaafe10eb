import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { PRIVATE_FILE_HEADERS } from '../../files/private-file.js';
import { openDownload } from '../../files/program-files.js';
import { forPrograms, programOf, type ProgramScopeParts } from '../../access/program-scope.js';
import { FILE_CONTENT } from '../../schemas/content.js';
import { DownloadPath, RemovedFile } from '../../schemas/session/files.js';
import { sendFile } from '../../files/send-file.js';
import { ADMIN_OR_KEY, openToPages, SESSION_PATH } from '../../access/session-scope.js';

const PATH = `${SESSION_PATH}/downloads/:download_id`;
const base = { tags: ['A session'], security: ADMIN_OR_KEY, params: DownloadPath };

/**
 * Lets programs fetch and remove the downloads of a session. Needs a token of the scope `automation` or
 * `admin`, or an API key. The bytes are streamed like the downloads of people.
 */
export function downloadRoutes(parts: ProgramScopeParts): FastifyPluginCallbackTypebox {
  const { onRequest, sessionAt } = forPrograms(parts);

  return (app, _options, done) => {
    openToPages(app);
    app.get(
      PATH,
      {
        onRequest,
        schema: { ...base, summary: 'Fetch a download as a program', answers: FILE_CONTENT },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const { address, download_id: id } = request.params;
        const session = sessionAt(address);
        reply.headers(PRIVATE_FILE_HEADERS);
        return sendFile(reply, await openDownload(session, programOf(request), id));
      },
    );

    app.delete(
      PATH,
      { onRequest, schema: { ...base, summary: 'Remove a download', response: { 200: RemovedFile } } },
      async (request) => {
        const { address, download_id: id } = request.params;
        await sessionAt(address).host.forward('computer.remove', [{ id }], programOf(request));
        return { id };
      },
    );
    done();
  };
}
