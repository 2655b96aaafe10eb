/**
 * Permissions that extensions of customers cannot have. The service and Chromium both refuse an extension
 * that requires one of them.
 */
export const BLOCKED_PERMISSIONS: readonly string[] = ['debugger', 'management', 'nativeMessaging', 'proxy'];
