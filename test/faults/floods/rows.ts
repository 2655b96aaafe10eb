/** Actions of a viewer in a row of the table of floods. */
export interface FloodRow {
  name: string;
  /** Kind of message, as `test/e2e/support/flooder.ts` names it, or an ordinary use of the SDK. */
  kind: string;
  /** Messages a second; 0: as many as it can. */
  perSecond: number;
  seconds: number;
  /**
   * Reason for the disconnect, within {@link SENT_AWAY_SECONDS}. Undefined for ordinary use, which stays
   * connected.
   */
  reason?: 'flooding' | 'rejected';
  /** True if the connection may be cut without a reason, as for a viewer that reads nothing. */
  mayBeCut?: true;
}

/** A flooder is disconnected within this many seconds. */
export const SENT_AWAY_SECONDS = 5;
/**
 * Frames that other viewers of the session and viewers of other sessions keep, in percent of their frames
 * just before.
 */
export const KEPT = { others: 80, neighbours: 95 } as const;

const RATES = [5, 50, 0] as const;
/** From this rate on each kind is a flood. Lower rates are ordinary use by people and programs. */
const FLOOD_FROM: Record<string, { rate: number; reason: 'flooding' | 'rejected' }> = {
  resizes: { rate: 5, reason: 'flooding' },
  boxes: { rate: 5, reason: 'flooding' },
  moves: { rate: 0, reason: 'flooding' },
  keys: { rate: 0, reason: 'flooding' },
  tabs: { rate: 0, reason: 'flooding' },
  joins: { rate: 50, reason: 'flooding' },
  malformed: { rate: 5, reason: 'rejected' },
  huge: { rate: 5, reason: 'rejected' },
};

function rowsOf(kind: string): FloodRow[] {
  const from = FLOOD_FROM[kind];
  return RATES.map((perSecond) => {
    const fast = perSecond === 0 ? Infinity : perSecond;
    const isFlood = from && fast >= (from.rate === 0 ? Infinity : from.rate);
    const rate = perSecond === 0 ? 'as many as possible' : `${perSecond} a second`;
    return { name: `${kind}, ${rate}`, kind, perSecond, seconds: 6, ...(isFlood && { reason: from.reason }) };
  });
}

/** The table: each kind of flood at each rate, and ordinary use that looks like one. */
export const FLOOD_ROWS: readonly FloodRow[] = [
  ...Object.keys(FLOOD_FROM).flatMap(rowsOf),
  { name: 'reads nothing', kind: 'slow', perSecond: 1, seconds: 6, mayBeCut: true },
  { name: 'a window dragged for 20 s', kind: 'drag', perSecond: 60, seconds: 20 },
  { name: 'a mouse of 1,000 Hz', kind: 'mouse', perSecond: 1_000, seconds: 10 },
];
