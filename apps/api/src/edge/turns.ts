import { networksOf } from '#libs/access';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** Begun at once, before anybody has to wait for a turn. */
const AT_ONCE = 8;

/** For so long the waiting ones are begun, before the event loop looks at connections and answers again. */
const TURN_MS = 10;

/**
 * The system hands over one connection in each turn of the event loop, so these go first; but not for ever. While a thousand come,
 * the turns in which nothing is begun are short: in half a second all of them are there, and a probe behind them is answered.
 */
const MAX_WAIT_MS = 500;

/** Of one lane. It is some seconds of work; whoever comes then would have gone before their turn. */
const MAX_WAITING = 5_000;

/** Whoever watches the process asks here, and costs nothing. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** A crowd that comes at once is begun in turns by address, so that nobody waits for all of it. */
export function takeTurns(server: FastifyInstance): void {
  const turns = new Turns();
  server.server.on('connection', () => turns.connected());
  server.addHook('onRequest', (request, _reply, done) => {
    if (PROBES.has(request.url)) done();
    else turns.take(new RequestTurn(request, done));
  });
}

/** Somebody who wants a turn. */
export interface Turn {
  /** Who it is, is only asked about those who wait. */
  lane(): string;
  begin(): void;
  refuse(): void;
  /** A request whose connection has ended meanwhile is not begun: what watches for that end would have missed it. */
  isGone(): boolean;
}

class RequestTurn implements Turn {
  constructor(
    private readonly request: FastifyRequest,
    private readonly done: HookHandlerDoneFunction,
  ) {}

  /** The larger network: a client with a /48 of IPv6 has 65,536 of the smaller ones. */
  lane(): string {
    return networksOf(this.request.ip).at(-1)!;
  }

  begin(): void {
    this.done();
  }

  refuse(): void {
    const detail = 'Too many requests of this address wait for their turn. Try again in a second.';
    this.done(new HttpException({ error: 'overloaded', detail, headers: { 'retry-after': '1' } }, 503));
  }

  isGone(): boolean {
    return this.request.raw.socket.destroyed;
  }
}

interface Waiting {
  readonly since: number;
  readonly turn: Turn;
}

/** Begins a few requests in each turn of the event loop. The others wait in lanes, which follow each other. */
export class Turns {
  /** No lane is empty. */
  private readonly lanes = new Map<string, Waiting[]>();
  private begun = 0;
  private hasConnected = false;
  private isComing = false;

  connected(): void {
    this.hasConnected = true;
  }

  take(turn: Turn): void {
    this.comeAgain();
    if (this.lanes.size === 0 && this.begun < AT_ONCE) {
      this.begun += 1;
      turn.begin();
      return;
    }
    const lane = turn.lane();
    const waiting = this.lanes.get(lane);
    if (waiting && waiting.length >= MAX_WAITING) turn.refuse();
    else if (waiting) waiting.push({ since: performance.now(), turn });
    else this.lanes.set(lane, [{ since: performance.now(), turn }]);
  }

  private comeAgain(): void {
    if (this.isComing) return;
    this.isComing = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    const began = performance.now();
    const letConnect = this.hasConnected;
    this.isComing = false;
    this.hasConnected = false;
    this.begun = 0;
    for (const [lane, [first]] of this.lanes) {
      if (letConnect && began - first!.since < MAX_WAIT_MS) break;
      this.beginNextOf(lane);
      if (performance.now() - began >= TURN_MS) break;
    }
    if (this.lanes.size > 0) this.comeAgain();
  }

  /** The rest of its lane comes after the others. Iteration over a map meets it there again. */
  private beginNextOf(lane: string): void {
    const waiting = this.lanes.get(lane)!;
    this.lanes.delete(lane);
    const { turn } = waiting.shift()!;
    if (waiting.length > 0) this.lanes.set(lane, waiting);
    if (!turn.isGone()) turn.begin();
  }
}
