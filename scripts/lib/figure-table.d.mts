/** One figure of the table of limits with the worst value that was measured. */
export interface WorstFigure {
  figure: string;
  unit: string;
  limit: number;
  /** Whether the limit is the most that a value may be, not the least. */
  upper: boolean;
  /** Undefined when it was not measured. */
  seen: number | undefined;
  kept: boolean | undefined;
}
export function worstFigures(
  limits: Readonly<Record<string, { unit: string } & ({ most: number } | { least: number })>>,
  measured: readonly { figure: string; seen: number }[],
): WorstFigure[];
export function figureTable(figures: readonly WorstFigure[]): string[];
