export interface Report {
  readonly settings: Readonly<Record<string, number>>;
  readonly raw: { readonly perSecond: number; readonly cpuMs: number };
  readonly queue?: { readonly perSecond: number; readonly cpuMs: number };
  readonly product: { readonly perSecond: number };
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number };
  readonly ratios: { readonly toRaw: number; readonly toQueue?: number };
  readonly cpuMsPerDelivery: Readonly<Record<'worker' | 'postgresql' | 'redis' | 'receiver', number>>;
  /** Average of the whole machine while the product was measured. */
  readonly coresBusy: number;
}

/** Prints the table to standard error and the JSON to standard output. `--json` omits the table. */
export function printReport(report: Report, jsonOnly: boolean): void {
  if (!jsonOnly) process.stderr.write(`\n${table(report)}\n\n`);
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

const rate = (value: number): string => `${Math.round(value)}/s`;
const ms = (value: number): string => `${value.toFixed(3)} ms`;

function table({ settings, raw, queue, product, latencyMs, ratios, cpuMsPerDelivery: cpu, coresBusy }: Report): string {
  const rows: [string, string][] = [
    [
      `measured with`,
      Object.entries(settings)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
    ['(a) bare loop of signed posts', `${rate(raw.perSecond)}, ${ms(raw.cpuMs)} CPU each`],
    [
      '(b) queue alone, jobs that do nothing',
      queue ? `${rate(queue.perSecond)}, ${ms(queue.cpuMs)} CPU each` : 'no Redis',
    ],
    ['(c) committed until delivered', rate(product.perSecond)],
    ['c / a', ratios.toRaw.toFixed(2)],
    ['c / b', ratios.toQueue?.toFixed(2) ?? '–'],
    [
      `latency commit → received at ${settings['rate']}/s`,
      `p50 ${latencyMs.p50} ms, p95 ${latencyMs.p95} ms, p99 ${latencyMs.p99} ms`,
    ],
    [
      'CPU for each delivery',
      `worker ${ms(cpu.worker)}, PostgreSQL ${ms(cpu.postgresql)}, Redis ${ms(cpu.redis)}, receiver ${ms(cpu.receiver)}`,
    ],
    ['cores busy meanwhile', coresBusy.toFixed(2)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
