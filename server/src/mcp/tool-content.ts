/** A part of a tool's result. */
export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | {
      type: 'resource';
      /** `blob` is base64. */
      resource: { uri: string; mimeType: string } & ({ text: string } | { blob: string });
    };
