/** A measurement with its limit and the worst measured value. */
export interface WorstFigure {
  figure: string;
  unit: string;
  limit: number;
  /** True if the limit is the highest allowed value, false if it is the lowest. */
  upper: boolean;
  /** Undefined if it was not measured. */
  seen: number | undefined;
  kept: boolean | undefined;
}
export function worstFigures(
  limits: Readonly<Record<string, { unit: string } & ({ most: number } | { least: number })>>,
  measured: readonly { figure: string; seen: number }[],
): WorstFigure[];
export function figureTable(figures: readonly WorstFigure[]): string[];
