/** The bytes of a file, in the description of the API. */
export const Bytes = { type: 'string', format: 'binary' } as const;

/** A text that is not JSON, in the description of the API. */
export const Text = { type: 'string' } as const;

/** The content of a file of any type. */
export const FILE_CONTENT = { 'application/octet-stream': Bytes };
