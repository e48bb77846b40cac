import type { Weight } from './counters.js';

/** Per event, or per second when idle. */
type Weights = Readonly<Record<string, Weight>>;

const COLUMNS: Readonly<Record<keyof Weight, string>> = {
  walRecords: 'WAL records',
  walBytes: 'WAL bytes',
  rows: 'rows',
  statements: 'statements',
  commits: 'commits',
  redisCommands: 'Redis commands',
};

export function weightTable(weights: Weights): string {
  const names = Object.keys(COLUMNS) as (keyof Weight)[];
  const lines = Object.entries(weights).map(([name, weight]) => [
    name === 'idle' ? 'idle, per second' : name,
    ...names.map((column) => weight[column].toFixed(1)),
  ]);
  return [['per event', ...Object.values(COLUMNS)], ...lines]
    .map(([name = '', ...values]) => name.padEnd(18) + values.map((value) => value.padStart(16)).join(''))
    .join('\n');
}
