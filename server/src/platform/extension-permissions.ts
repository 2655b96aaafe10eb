/** Permissions that no customer's extension gets: the service refuses one that requires any of them, and Chromium does as well. */
export const BLOCKED_PERMISSIONS: readonly string[] = ['debugger', 'management', 'nativeMessaging', 'proxy'];
