import { readFileSync } from 'node:fs';

/**
 * Imported into a process to change its clocks by the numbers in a file, in milliseconds: how far its machine is ahead,
 * and how long it slept, which `performance.now()` does not count. The file may change.
 */
const FILE = process.env['SHIFTED_CLOCK_FILE']!;
const READ_INTERVAL_MS = 50;

const [RealDate, realNow] = [Date, performance.now.bind(performance)];
let [aheadMs, sleptMs] = read();
setInterval(() => ([aheadMs, sleptMs] = read()), READ_INTERVAL_MS).unref();

function read(): [number, number] {
  const [ahead, slept] = readFileSync(FILE, 'utf8').split(' ').map(Number);
  return [ahead ?? 0, slept ?? 0];
}

const now = (): number => RealDate.now() + aheadMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (date, values, made) => Reflect.construct(date, values.length === 0 ? [now()] : values, made) as Date,
  get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
});
Object.defineProperty(performance, 'now', { value: () => realNow() - sleptMs });
