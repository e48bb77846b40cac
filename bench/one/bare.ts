import type { BenchSetup } from '../delivery/bench-setup.js';
import { postgresPid } from '../server-pids.js';
import { CREATE_BARE_TABLES } from './bare-tables.js';
import type { Contestant } from './contestant.js';
import type { BenchProcess } from '../bench-process.js';

const HEADERS = { 'content-type': 'application/json' };

export class Bare {
  private constructor(
    private readonly processes: readonly BenchProcess[],
    readonly contestant: Contestant,
  ) {}

  static async start(setup: BenchSetup, arrivalsAt: string, receivers: number): Promise<Bare> {
    await setup.sql.query(CREATE_BARE_TABLES);
    const urls = Array.from({ length: receivers }, (_, place) => `${arrivalsAt}${place}`);
    const worker = setup.process('bench/one/bare-worker.js', { args: urls });
    await worker.nextJsonWith('listening');
    const api = setup.process('bench/one/bare-api.js', {});
    const { port } = await api.nextJsonWith<{ port: number }>('port');
    return new Bare([api, worker], {
      base: `http://127.0.0.1:${port}`,
      targets: [{ path: '/', headers: HEADERS }],
      receivers,
      arrivalsAt,
      pids: { api: api.pid, worker: worker.pid, postgresql: await postgresPid(setup.sql) },
    });
  }

  async stop(): Promise<void> {
    for (const process of this.processes) await process.stop();
  }
}
