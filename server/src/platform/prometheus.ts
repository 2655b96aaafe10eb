/** The text format of Prometheus, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */
type Labels = Readonly<Record<string, string>>;

interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  lines: () => string[];
}

/** Metrics of one program. */
export class Metrics {
  readonly #metrics: Metric[] = [];

  /** Something that is counted up; the function returned does so. */
  counter(name: string, help: string): (labels?: Labels) => void {
    const counts = new Map<string, number>();
    this.#metrics.push({
      name,
      type: 'counter',
      help,
      lines: () => [...counts].map(([labels, count]) => `${name}${labels} ${count}`),
    });
    return (labels = {}) => {
      const key = labelText(labels);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    };
  }

  /** Something that is looked at when somebody asks. */
  gauge(name: string, help: string, read: () => { labels?: Labels; value: number }[]): void {
    const lines = () => read().map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
    this.#metrics.push({ name, type: 'gauge', help, lines });
  }

  /** A spread of values; the function returned adds one. `bounds`: upper ends of the buckets, rising. */
  histogram(name: string, help: string, bounds: readonly number[]): (value: number) => void {
    const counts = bounds.map(() => 0);
    let sum = 0;
    let count = 0;
    this.#metrics.push({
      name,
      type: 'histogram',
      help,
      lines: () => [
        ...bounds.map(
          (bound, index) => `${name}_bucket${labelText({ le: String(bound) })} ${counts[index] ?? 0}`,
        ),
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${sum}`,
        `${name}_count ${count}`,
      ],
    });
    return (value) => {
      sum += value;
      count += 1;
      bounds.forEach((bound, index) => {
        if (value <= bound) counts[index] = (counts[index] ?? 0) + 1;
      });
    };
  }

  /** Everything, in the text format. */
  render(): string {
    const blocks = this.#metrics.map(({ name, type, help, lines }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()].join('\n'),
    );
    return `${blocks.join('\n')}\n`;
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '_')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
