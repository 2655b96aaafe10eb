import { Type } from 'typebox';

/** The address of a file's bytes. */
export const FilePath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  ticket: Type.String({ description: 'The ticket that the session issued for this file.' }),
});

/** Position of the sent bytes in the uploaded file. */
export const FileOffset = Type.Object({
  offset: Type.Optional(
    Type.String({ description: 'Number of bytes of the file that were sent before. Default 0.' }),
  ),
});

/** Answer to a part of a file. The session's host makes it. */
export const ReceivedBytes = Type.Object({
  received: Type.Integer({ description: 'Number of bytes of the file that were received.' }),
});

/** The address of a download, for programs. */
export const DownloadPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  download_id: Type.String({
    maxLength: 64,
    description: 'The id of a download, as computer/files returns it.',
  }),
});

/** A download or an upload that was removed. */
export const RemovedFile = Type.Object({ id: Type.String() });

/** Name of a file that a program sends. */
export const UploadName = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 1_024, description: 'Name of the file, percent-encoded.' }),
});

/** A file that a program has sent. */
export const UploadView = Type.Object({
  id: Type.String({ description: 'For computer/choose.' }),
  name: Type.String(),
  size: Type.Number({ description: 'Bytes.' }),
});

/** The address of an upload of a program. */
export const UploadPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  upload_id: Type.String({ maxLength: 64 }),
});
