/** State that the files of one process share, by name. */
export type SharedState = Map<string, unknown>;
export function sharedState(): SharedState;
export function changed(before: SharedState, now?: SharedState): string[];
export function assertNothingLeft(before: SharedState): void;
export function assertNoHandleForgotten(): Promise<void>;
