/** Gives the examples the SDK as it is packed, beside what npm installs for them, and builds them. */
export function buildExamples(sdk: string): Promise<void>;
