import { request } from 'undici';
import { cpuMs } from '../cpu.js';
import type { HttpBench } from './http-bench.js';
import type { LoadRequest } from './load.js';

/** Milliseconds of a request. CPU milliseconds show the cost also on a busy machine. */
export interface Costs {
  readonly p50: number;
  readonly p99: number;
  readonly cpuP50: number;
  readonly cpuP99: number;
}

/** Single requests, with the CPU time of the API and PostgreSQL. */
export async function askOneByOne(stack: HttpBench, requests: readonly LoadRequest[]): Promise<Costs> {
  const servers = await stack.servers();
  const times: number[] = [];
  const spent: number[] = [];
  for (const { path, ...rest } of requests) {
    const before = cpuMs(servers);
    const began = performance.now();
    const answer = await request(new URL(path, stack.base), rest);
    const text = await answer.body.text();
    times.push(performance.now() - began);
    spent.push(cpuMs(servers) - before);
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  }
  return { p50: at(times, 0.5), p99: at(times, 0.99), cpuP50: at(spent, 0.5), cpuP99: at(spent, 0.99) };
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
