/** One operation of a client: create with a tag. Times are of one clock. */
export interface Operation {
  tag: string;
  from: number;
  until: number;
  /**
   * `ok`: a session was answered. `fail`: no session was started. `unknown`: its node was killed meanwhile.
   */
  outcome: 'ok' | 'fail' | 'unknown';
  /** The session that was answered. */
  id?: string;
}

/** When a session lived. */
export interface LifeOfSession {
  id: string;
  tag: string | null;
  from: number;
  /** Infinity while it lives. */
  until: number;
  /** True if its end has a known reason: its node was killed, or an end was requested. */
  explained: boolean;
}

/**
 * Returns the violations of a history, one sentence each: two simultaneous sessions of one tag, an answered
 * session that did not live during the call, or an answered session that ended without a known reason.
 */
export function checkHistory(operations: readonly Operation[], lives: readonly LifeOfSession[]): string[] {
  return [...overlaps(lives), ...operations.flatMap((operation) => checkAnswer(operation, lives))];
}

function overlaps(lives: readonly LifeOfSession[]): string[] {
  return [...new Set(lives.map(({ tag }) => tag))]
    .filter((tag) => tag !== null)
    .flatMap((tag) => {
      const ofTag = lives.filter((life) => life.tag === tag).sort((a, b) => a.from - b.from);
      return ofTag.flatMap((life, index) => {
        const before = ofTag[index - 1];
        if (!before || before.until <= life.from) return [];
        return `${life.id} and ${before.id} of tag ${tag} both lived at ${life.from}.`;
      });
    });
}

function checkAnswer(
  { outcome, id, from, until, tag }: Operation,
  lives: readonly LifeOfSession[],
): string[] {
  if (outcome !== 'ok') return [];
  const life = lives.find((one) => one.id === id);
  if (!life || life.tag !== tag) return [`${id} was answered for tag ${tag} and never was.`];
  const live = life.from <= until && life.until >= from;
  const lost = life.until !== Infinity && !life.explained;
  return [
    ...(live
      ? []
      : [`${id} was answered between ${from} and ${until}, and lived from ${life.from} to ${life.until}.`]),
    ...(lost ? [`${id} was answered, and ended at ${life.until} for no reason.`] : []),
  ];
}
