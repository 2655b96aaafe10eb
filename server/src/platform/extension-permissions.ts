/**
 * Permissions that extensions of customers cannot have. The service refuses an extension that requires one of
 * them, and so does Chromium.
 */
export const BLOCKED_PERMISSIONS: readonly string[] = ['debugger', 'management', 'nativeMessaging', 'proxy'];
