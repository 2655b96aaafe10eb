/** Whether npx has started this process, by what npm tells whatever it starts. */
export const isStartedByNpx = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  environment['npm_lifecycle_event'] === 'npx';
