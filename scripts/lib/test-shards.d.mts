export function readShard(argument: string): string | undefined;
export function shardOf(shard: string | undefined, group: string, files: string[]): string[];
