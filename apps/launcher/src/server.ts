import { freePort } from './ports.js';
import { describeExit, lastLines, launch, type Program, type Running } from './program.js';
import type { Roster } from './roster.js';
import { Refusal } from './say.js';

/** What a database server needs to say about itself so that it can be started, awaited and restarted. */
export interface ServerPlan {
  program: (port: number) => Program;
  url: (port: number) => string;
  /** Resolves once the server answers under this address. */
  answers: (url: string) => Promise<void>;
}

const START_LIMIT_MS = 60_000;
const ATTEMPTS = 5;

/** A database server of ours. It keeps its address over every restart. */
export class Server {
  private running: Running;

  private constructor(
    private readonly plan: ServerPlan,
    private readonly roster: Roster,
    readonly port: number,
    running: Running,
  ) {
    this.running = running;
  }

  /** The port is only probably free, so a server that ends at once is tried on another. */
  static async start(plan: ServerPlan, roster: Roster): Promise<Server> {
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      try {
        return new Server(plan, roster, port, await startOn(plan, port, roster));
      } catch (error) {
        if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
      }
    }
  }

  get url(): string {
    return this.plan.url(this.port);
  }

  get name(): string {
    return this.running.program.name;
  }

  get log(): string | undefined {
    return this.running.program.log;
  }

  get pid(): number | undefined {
    return this.running.pid;
  }

  get exited(): Running['exited'] {
    return this.running.exited;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  async kill(): Promise<void> {
    this.running.kill();
    await this.running.exited;
  }

  /** Also after a kill: what the dead server still holds for a moment makes the first attempts fail. */
  async restart(): Promise<void> {
    await this.running.stop();
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.running = await startOn(this.plan, this.port, this.roster);
        return;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
      }
    }
  }

  /** Frozen, not gone: connections stay open and nothing answers. */
  async pause(ms: number): Promise<void> {
    this.running.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.running.signal('SIGCONT');
  }
}

async function startOn(plan: ServerPlan, port: number, roster: Roster): Promise<Running> {
  const running = launch(plan.program(port), roster);
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (running.ended) break;
    const refused = await plan.answers(plan.url(port)).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!refused) return running;
    if (Date.now() > deadline) await running.stop();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const { name, log } = running.program;
  throw new Refusal(
    `${name} did not start: it ${describeExit(await running.exited)}. Its log ends with${lastLines(log)}`,
  );
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Refusal && /address already in use|could not bind/i.test(error.message);
}
