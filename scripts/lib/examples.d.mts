/** Installs the packed SDK and the npm packages of the examples, and builds the examples. */
export function buildExamples(sdk: string): Promise<void>;
