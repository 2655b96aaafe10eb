/** A test that failed, or passed at its second attempt. */
export interface Trouble {
  kind: 'failed' | 'flaky';
  /** The file, a colon and the test's name. */
  test: string;
  /** The first line of the error, and the lines that show a difference. */
  error: string;
}
export function firstLine(text: string): string;
export function errorSummary(text: string): string;
export function troubleLines(troubles: readonly (Trouble & { group: string })[]): string[];
