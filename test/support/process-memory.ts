import { existsSync, readFileSync } from 'node:fs';

/** In bytes. */
export interface ProcessMemory {
  readonly heap: number;
  /** Inside and outside the heap of JavaScript. */
  readonly held: number;
  readonly resident: number;
}

/** The memory that an API or a worker reports. Uses a new connection, so that none stays open. */
export async function readMemory(base: string): Promise<ProcessMemory> {
  const text = await (await fetch(`${base}/metrics`, { headers: { connection: 'close' } })).text();
  const read = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
  const heap = read('nodejs_heap_size_used_bytes');
  return { heap, held: heap + read('nodejs_external_memory_bytes'), resident: read('process_resident_memory_bytes') };
}

/** Resident memory of a process in MiB, or 0 where there is no /proc. */
export function residentMiB(pid: number): number {
  const file = `/proc/${pid}/status`;
  const [, kib = 0] = (existsSync(file) && /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'latin1'))) || [];
  return Math.round(Number(kib) / 1024);
}
