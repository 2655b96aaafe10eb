import type { FastifyReply } from 'fastify';
import type { Warnings } from '../../create-fields/warnings.js';

/** The header with the warnings of a response: a JSON array of texts, in ASCII. */
export const WARNINGS_HEADER = 'cloud-browser-warnings';

/** Adds the header to a response if there are warnings. */
export function tellWarnings(reply: FastifyReply, warnings: Warnings): void {
  if (warnings.length === 0) return;
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  void reply.header(WARNINGS_HEADER, JSON.stringify(warnings).replace(/[^ -~]/g, escaped));
}
