import { Type } from 'typebox';

/** The address of a file's bytes. */
export const FilePath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  ticket: Type.String({ description: 'The ticket that the session issued for this file.' }),
});

/** Position of a part of a file. */
export const FileOffset = Type.Object({
  offset: Type.Optional(
    Type.String({ description: 'Number of bytes of the file that were sent before. Default 0.' }),
  ),
});
