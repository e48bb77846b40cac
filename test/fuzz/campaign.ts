import { isDeepStrictEqual } from 'node:util';
import { type AccountRows, accountRowsOf } from '#test/support/account-rows.js';
import { residentMiB } from '#test/support/process-memory.js';
import { AnswerJudge, type Failure } from './answer-judge.js';
import { type FuzzRequest, RequestMix, type ServerName } from './fuzz-request.js';
import { type FuzzedProduct, onFuzzedProduct } from './fuzzed-product.js';
import { HttpConnection } from './http-connection.js';
import { brokenInvariants } from './invariants.js';
import { LivenessProbe, type LivenessResult } from './liveness.js';
import { RouteTally } from './route-tally.js';
import { WorldMaker } from './world-maker.js';
import type { World } from './world.js';

export interface CampaignOptions {
  readonly seed: number;
  /** The numbers of the requests, in the order in which they are sent. */
  readonly first: number;
  readonly count: number;
  readonly onRound?: (progress: RoundProgress) => void;
  readonly onRequest?: (request: FuzzRequest, answers: Awaited<ReturnType<HttpConnection['exchange']>>) => void;
}

export interface RoundProgress {
  readonly done: number;
  readonly seconds: number;
  readonly failures: number;
  readonly residentMiB: number;
}

export interface CampaignResult {
  readonly seed: number;
  readonly requests: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  /** Refused with 503 and Retry-After. */
  readonly refusedByBounds: number;
  readonly tally: RouteTally;
  /** Routes without a success, or without a refusal. */
  readonly missing: readonly string[];
  readonly liveness: LivenessResult;
  readonly residentMiB: readonly number[];
}

/** Requests per world: enough that some meet the results of others, few enough that records are left. */
export const ROUND = 10_000;
const AT_ONCE = 16;

/** Sends all requests, and checks every response, the logs, and the rows in the database. */
export const runCampaign = (options: CampaignOptions): Promise<CampaignResult> =>
  onFuzzedProduct(async (product) => new Campaign(product, await WorldMaker.open(product), options).run());

class Campaign {
  private readonly mix: RequestMix;
  private readonly judge: AnswerJudge;
  private readonly tally = new RouteTally();
  private readonly residentMiB: number[] = [];

  constructor(
    private readonly product: FuzzedProduct,
    private readonly maker: WorldMaker,
    private readonly options: CampaignOptions,
  ) {
    const { contract } = product.oauth.desk;
    this.mix = new RequestMix(contract.document, options.seed);
    this.judge = new AnswerJudge(contract);
  }

  async run(): Promise<CampaignResult> {
    const { seed, first, count } = this.options;
    const probe = new LivenessProbe(this.product.processes.api);
    const began = performance.now();
    for (let from = first; from < first + count; from += ROUND) {
      await this.round(from, Math.min(from + ROUND, first + count));
      const progress = { done: from - first + ROUND, seconds: (performance.now() - began) / 1000 };
      const failures = this.judge.failures.length;
      this.options.onRound?.({ ...progress, failures, residentMiB: this.residentMiB.at(-1) ?? 0 });
      if (this.product.fates.length > 0) break;
    }
    const seconds = (performance.now() - began) / 1000;
    const { tally, judge } = this;
    const liveness = await probe.stop();
    const [failures, refusedByBounds] = [judge.failures, judge.refusedByBounds];
    const missing = tally.missing(this.mix.routes);
    return {
      seed,
      requests: count,
      seconds,
      failures,
      refusedByBounds,
      tally,
      missing,
      liveness,
      residentMiB: this.residentMiB,
    };
  }

  private async round(from: number, to: number): Promise<void> {
    const world = await this.maker.make();
    const { sql } = this.product.oauth.desk;
    const before = await accountRowsOf(sql, world.accounts.bystander);
    const indexes = rangeOf(from, to);
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.lane(indexes, world)));
    const after = await accountRowsOf(sql, world.accounts.bystander);
    for (const table of changedTables(before, after))
      this.judge.note(`a record of an account in which nobody acts has changed: ${table}`);
    for (const fault of [...(await brokenInvariants(sql)), ...this.product.fates, ...this.product.faultsInLogs()])
      this.judge.note(fault);
    this.residentMiB.push(residentMiB(this.product.processes.api.pid));
  }

  /** The requests of a client one by one, with a connection to each server. */
  private async lane(indexes: Iterator<number> & Iterable<number>, world: World): Promise<void> {
    const { processes } = this.product;
    const names = Object.keys(processes) as ServerName[];
    const connections = new Map(names.map((name) => [name, new HttpConnection(processes[name].base)]));
    for (const index of indexes) {
      const request = this.mix.request(index, world);
      const exchange = await connections.get(request.server)!.exchange(request.wire);
      this.tally.note(request.route, exchange.answers);
      this.judge.judge(request, exchange);
      this.options.onRequest?.(request, exchange);
    }
    for (const connection of connections.values()) connection.close();
  }
}

const changedTables = (before: AccountRows, after: AccountRows): string[] =>
  Object.keys(after).filter((table) => !isDeepStrictEqual(after[table], before[table]));

function* rangeOf(from: number, to: number): Generator<number> {
  for (let index = from; index < to; index++) yield index;
}
