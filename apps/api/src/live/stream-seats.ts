export interface Seat {
  readonly accountId: string;
  readonly agentId: string;
}

export interface SeatLimits {
  readonly perAgent: number;
  readonly perAccount: number;
}

/** What came of asking for a seat, and the stream that has to give its own up for it. */
export type Seating<Stream> = { readonly seated: false } | { readonly seated: true; readonly unseated?: Stream };

/**
 * Which live streams may stay open. An agent at the limit loses the oldest of their own streams: the newest page is the
 * one that is looked at. In a full account whoever has most gives one up, so that nobody is kept out by one person.
 */
export class StreamSeats<Stream extends Seat> {
  /** Oldest first. */
  private readonly accounts = new Map<string, Set<Stream>>();

  constructor(private readonly limits: SeatLimits) {}

  take(stream: Stream): Seating<Stream> {
    const streams = this.accounts.get(stream.accountId) ?? new Set();
    const unseated = this.oneTooMany([...streams], stream);
    if (unseated === 'nobody') return { seated: false };
    if (unseated) streams.delete(unseated);
    this.accounts.set(stream.accountId, streams.add(stream));
    return { seated: true, ...(unseated && { unseated }) };
  }

  leave(stream: Stream): void {
    const streams = this.accounts.get(stream.accountId);
    if (streams?.delete(stream) && streams.size === 0) this.accounts.delete(stream.accountId);
  }

  private oneTooMany(streams: readonly Stream[], { agentId }: Stream): Stream | 'nobody' | undefined {
    const own = streams.filter((stream) => stream.agentId === agentId);
    if (own.length >= this.limits.perAgent) return own[0];
    if (streams.length < this.limits.perAccount) return undefined;
    const most = streamsOfTheGreediest(streams);
    if (most.length > Math.max(1, own.length)) return most[0];
    return own[0] ?? 'nobody';
  }
}

function streamsOfTheGreediest<Stream extends Seat>(streams: readonly Stream[]): Stream[] {
  const byAgent = new Map<string, Stream[]>();
  for (const stream of streams) byAgent.set(stream.agentId, [...(byAgent.get(stream.agentId) ?? []), stream]);
  return [...byAgent.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}
