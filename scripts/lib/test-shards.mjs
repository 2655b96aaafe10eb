/**
 * Divides the tests of a run into shards, which run at different times or on different machines. A shard has
 * each N-th file of a group. Playwright's own shards do not suit: each of them would run all tests of the
 * projects on which another project depends.
 */

/** Returns the shard `K/N`, the K-th of N, that an argument `--shard=K/N` names, or undefined. */
export function readShard(argument) {
  const [, shard, nth, count] = /^--shard=((\d+)\/(\d+))$/.exec(argument) ?? [];
  return Number(nth) >= 1 && Number(nth) <= Number(count) ? shard : undefined;
}

/**
 * Returns those of a group's files that belong to a shard; all of them if it is undefined. Groups with one
 * file start at different shards, so that not all of them fall into the first.
 */
export function shardOf(shard, group, files) {
  if (shard === undefined) return files;
  const [nth, count] = shard.split('/').map(Number);
  return files.filter((_file, index) => (index + group.length) % count === nth - 1);
}
