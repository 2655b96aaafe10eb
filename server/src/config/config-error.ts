/** The configuration cannot be used. Carries every problem at once, each a sentence that says what to do. */
export class ConfigError extends Error {
  readonly code = 'err_config';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
