/**
 * True if npx has started this process. Reads the variable that npm sets for every program that it starts.
 */
export const isStartedByNpx = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  environment['npm_lifecycle_event'] === 'npx';
