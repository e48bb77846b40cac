import type { ClientsResult } from './clients.js';

export interface Saturated {
  readonly acceptedPerSecond: number;
  readonly receivedPerSecond: number;
  readonly refusedPerSecond: number;
  readonly unsentPerSecond: number;
  readonly otherAnswers: ClientsResult['others'];
  /** From the last request to the last delivery. */
  readonly drainSeconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds per accepted event, until all had arrived, by process. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly lost: number;
}

export function saturationTable(figures: Readonly<Record<string, Saturated>>): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name.padEnd(24)}  ${textOf(figure)}`)
    .join('\n');
}

function textOf(figure: Saturated): string {
  const all = Object.values(figure.cpuMs).reduce((sum, ms) => sum + ms, 0);
  const each = Object.entries(figure.cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return [
    `accepted ${figure.acceptedPerSecond.toFixed(0)}/s`,
    `received ${figure.receivedPerSecond.toFixed(0)}/s`,
    `refused ${figure.refusedPerSecond.toFixed(0)}/s`,
    `unsent ${figure.unsentPerSecond.toFixed(0)}/s`,
    `p50 ${figure.p50.toFixed(0)} ms, p99 ${figure.p99.toFixed(0)} ms`,
    `drained in ${figure.drainSeconds.toFixed(1)} s`,
    `lost ${figure.lost}`,
    `CPU ${all.toFixed(2)} ms (${each.join(', ')})`,
    ...Object.entries(figure.otherAnswers).map(([status, count]) => `${count} times ${status}`),
  ].join(', ');
}
