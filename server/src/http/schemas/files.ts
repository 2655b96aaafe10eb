import { Type } from 'typebox';

/** The address of a file's bytes. */
export const FilePath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  ticket: Type.String({ description: 'What the session gave out for this file.' }),
});

/** Where a part of a file begins. */
export const FileOffset = Type.Object({
  offset: Type.Optional(
    Type.String({ description: 'Bytes of the file that were sent before; 0 when left out.' }),
  ),
});
