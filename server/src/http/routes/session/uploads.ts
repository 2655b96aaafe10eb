import { Readable } from 'node:stream';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { invalidParameter } from '../../../service-error.js';
import { uploadFile } from '../../files/program-files.js';
import { forPrograms, programOf, type ProgramScopeParts } from '../../access/program-scope.js';
import { FILE_CONTENT } from '../../schemas/content.js';
import { RemovedFile, UploadName, UploadPath, UploadView } from '../../schemas/session/files.js';
import { AddressPath } from '../../schemas/session/session-control.js';
import { leaveBodiesUnread, sendAnswer } from '../../files/send-file.js';
import { ADMIN_OR_KEY, openToPages, SESSION_PATH } from '../../access/session-scope.js';

const LENGTH = /^\d{1,15}$/;
const PATH = `${SESSION_PATH}/uploads`;
const base = { tags: ['A session'], security: ADMIN_OR_KEY };

/**
 * Lets programs send files. With `computer/choose`, a program then gives such a file to a page. Needs a token
 * of the scope `automation` or `admin`, or an API key. The bytes are streamed like the uploads of people.
 */
export function uploadRoutes(parts: ProgramScopeParts): FastifyPluginCallbackTypebox {
  const { onRequest, sessionAt } = forPrograms(parts);

  return (app, _options, done) => {
    openToPages(app);
    leaveBodiesUnread(app);

    app.post(
      PATH,
      {
        onRequest,
        schema: {
          ...{ ...base, params: AddressPath, summary: 'Send a file as a program' },
          ...{ querystring: UploadName, bodies: FILE_CONTENT, response: { 200: UploadView } },
        },
      },
      async (request, reply) => {
        const session = sessionAt(request.params.address);
        const length = request.headers['content-length'] ?? '';
        if (!LENGTH.test(length)) throw invalidParameter('Content-Length', 'the size of the file in bytes');
        const { body } = request as { body: unknown };
        const file = { name: request.query.name, size: Number(length) };
        const bytes = body instanceof Readable ? body : Readable.from([]);
        const sent = await uploadFile(session, programOf(request), file, bytes);
        return 'id' in sent ? sent : sendAnswer(reply, sent);
      },
    );

    app.delete(
      `${PATH}/:upload_id`,
      {
        onRequest,
        schema: { ...base, params: UploadPath, summary: 'Remove an upload', response: { 200: RemovedFile } },
      },
      async (request) => {
        const { address, upload_id: id } = request.params;
        await sessionAt(address).host.forward('computer.discard', [{ id }], programOf(request));
        return { id };
      },
    );
    done();
  };
}
