import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { DIST } from '#test/support/app-process.js';

export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

export interface LivenessResult {
  readonly refused: number;
  /** As the second client measured it. */
  readonly waited: Latency;
  /** Without the time in which the API or that client had no core. */
  readonly charged: Latency;
}

const PROBE = fileURLToPath(new URL('test/fuzz/liveness-probe.js', DIST));
const EVERY_MS = 20;

interface Probed {
  readonly base: string;
  readonly pid: number;
  /** A new connection per probe also waits to be accepted. */
  readonly connections?: 'kept' | 'new';
}

/** A second client, in its own process, that probes the API while the first one attacks it. */
export class LivenessProbe {
  private readonly child: ChildProcess;
  private readonly output: Promise<string>;

  constructor({ base, pid, connections = 'kept' }: Probed) {
    const args = [PROBE, base, `${pid}`, `${EVERY_MS}`, connections];
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.output = text(this.child.stdout!);
  }

  async stop(): Promise<LivenessResult> {
    this.child.stdin!.end();
    return JSON.parse(await this.output) as LivenessResult;
  }
}

export const LIVENESS_BOUNDS = { p99: 100, worst: 500 } as const;

export const isAliveInTime = ({ charged, refused }: LivenessResult): boolean =>
  refused === 0 && charged.p99 <= LIVENESS_BOUNDS.p99 && charged.worst <= LIVENESS_BOUNDS.worst;
