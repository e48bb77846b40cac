import { networksOf } from '#libs/access';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Begun at once, before anybody has to wait for a turn. */
const AT_ONCE = 8;

/** For so long the waiting ones are begun, before the event loop looks at connections and answers again. */
const TURN_MS = 10;

/** The system hands over one connection in each turn of the event loop, so these go first; but not for ever. */
const LONGEST_WAIT_MS = 50;

/** Whoever watches the process asks here, and costs nothing. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** A crowd that comes at once is begun in turns by address, so that nobody waits for all of it. */
export function takeTurns(server: FastifyInstance): void {
  const turns = new Turns();
  server.server.on('connection', () => turns.connected());
  server.addHook('onRequest', (request, _reply, done) => {
    if (PROBES.has(request.url)) done();
    else turns.take(() => laneOf(request), done);
  });
}

const laneOf = ({ ip }: FastifyRequest): string => networksOf(ip)[0];

interface Waiting {
  readonly since: number;
  readonly begin: () => void;
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

  /** Who it is, is only asked about those who wait. */
  take(laneOfWaiting: () => string, begin: () => void): void {
    this.comeAgain();
    if (this.lanes.size === 0 && this.begun < AT_ONCE) {
      this.begun += 1;
      begin();
      return;
    }
    const lane = laneOfWaiting();
    const waiting = this.lanes.get(lane);
    if (waiting) waiting.push({ since: performance.now(), begin });
    else this.lanes.set(lane, [{ since: performance.now(), begin }]);
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
      if (letConnect && began - first!.since < LONGEST_WAIT_MS) break;
      this.beginNextOf(lane);
      if (performance.now() - began >= TURN_MS) break;
    }
    if (this.lanes.size > 0) this.comeAgain();
  }

  /** The rest of its lane comes after the others. Iteration over a map meets it there again. */
  private beginNextOf(lane: string): void {
    const waiting = this.lanes.get(lane)!;
    this.lanes.delete(lane);
    const { begin } = waiting.shift()!;
    if (waiting.length > 0) this.lanes.set(lane, waiting);
    begin();
  }
}
