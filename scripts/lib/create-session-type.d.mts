/** Returns the text of `src/api/create-session.ts`. */
export function createSessionType(): Promise<string>;
