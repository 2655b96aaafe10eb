import { patient, SLACK } from '../../support/limits.js';
import { Stage, type StageOptions } from './stage.js';

/** A measured number and its limit. */
export interface Figure {
  what: string;
  seen: number;
  unit: 's' | 'ms' | '';
  /** Upper limit on an otherwise idle machine. */
  most?: number;
  /** True if the limit also applies on a busy machine. */
  exact?: boolean;
}

/** The state of a cluster after a fault. */
export interface Outcome {
  /** One or two sentences. A violated expectation throws instead. */
  became: string;
  figures: Figure[];
}

/** A row of the table: a fault and its expected outcome. */
export interface Fault {
  name: string;
  /** Options of the cluster. */
  stage?: StageOptions;
  /** Seconds after which the row has failed. */
  seconds: number;
  run: (stage: Stage) => Promise<Outcome>;
}

/** A row that was run. */
export interface Result {
  fault: string;
  became: string;
  figures: Figure[];
  /** Numbers of creates: answered, refused, without an answer. */
  creates: string;
  /** Violations, one sentence each. */
  wrong: string[];
  /** Duration in seconds. */
  seconds: number;
  /** Warnings and errors of the nodes, if there are violations. */
  complaints: string;
}

/** Builds a cluster, applies the fault, checks the history, and removes the cluster. Never rejects. */
export async function runFault({ name, stage: options, seconds, run }: Fault): Promise<Result> {
  const started = performance.now();
  const result: Result = {
    ...{ fault: name, became: '', figures: [], creates: '', wrong: [], seconds: 0 },
    complaints: '',
  };
  let stage: Stage | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    stage = await Stage.open(options);
    const { history } = stage;
    const tooLong = new Promise<never>((_resolve, reject) => {
      const late = () => reject(new Error(`It took longer than ${seconds} s.`));
      timer = setTimeout(late, patient(seconds * 1_000));
    });
    const { became, figures } = await Promise.race([run(stage), tooLong]);
    result.wrong = [...(await stage.judge()), ...figures.flatMap(excess)];
    Object.assign(result, { became, figures, creates: history.summary });
  } catch (error) {
    result.wrong = [error instanceof Error ? error.message : String(error)];
  } finally {
    clearTimeout(timer);
    if (result.wrong.length > 0) result.complaints = (await stage?.complaints()) ?? '';
    await stage?.close();
  }
  return { ...result, seconds: (performance.now() - started) / 1_000 };
}

function excess({ what, seen, unit, most, exact }: Figure): string[] {
  return most === undefined || seen <= most * (exact ? 1 : SLACK)
    ? []
    : [`${what}: ${round(seen)} ${unit} instead of ${most}`];
}

/** As it stands in the table. */
export function figureText({ what, seen, unit, most }: Figure): string {
  return `${what} ${round(seen)}${unit && ` ${unit}`}${most === undefined ? '' : ` (≤ ${most})`}`;
}

function round(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** The results as a table of Markdown. */
export function tableOf(results: readonly Result[]): string {
  const head = ['fault', 'effect', 'figures (limit)', 'creates'];
  const rows = results.map(({ fault, became, figures, creates, wrong }) => [
    fault,
    wrong.length > 0 ? `**not so:** ${wrong.slice(0, 3).join(' ')}` : became,
    figures.map(figureText).join('; '),
    creates,
  ]);
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
