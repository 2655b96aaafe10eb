const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a session id at all. */
export function isSessionId(text: string): boolean {
  return UUID.test(text);
}
