export interface Seat {
  readonly accountId: string;
  readonly agentId: string;
}

/**
 * An agent at the limit loses their oldest stream: the newest page is in use. In a full account, the agent with the most
 * streams loses one, so that one person cannot keep the others out.
 */
export class StreamSeats<Stream extends Seat> {
  /** Oldest first. */
  private readonly accounts = new Map<string, Set<Stream>>();

  constructor(private readonly limits: { readonly perAgent: number; readonly perAccount: number }) {}

  take(stream: Stream): { seated: boolean; unseated?: Stream } {
    const streams = this.accounts.get(stream.accountId) ?? new Set();
    const unseated = this.toUnseat([...streams], stream);
    if (unseated === 'none') return { seated: false };
    if (unseated) streams.delete(unseated);
    this.accounts.set(stream.accountId, streams.add(stream));
    return { seated: true, ...(unseated && { unseated }) };
  }

  leave(stream: Stream): void {
    const streams = this.accounts.get(stream.accountId);
    if (streams?.delete(stream) && streams.size === 0) this.accounts.delete(stream.accountId);
  }

  /** Undefined if there is room, and `none` if no stream may be ended for this one. */
  private toUnseat(streams: readonly Stream[], { agentId }: Stream): Stream | 'none' | undefined {
    const own = streams.filter((stream) => stream.agentId === agentId);
    if (own.length >= this.limits.perAgent) return own[0];
    if (streams.length < this.limits.perAccount) return undefined;
    const groups = groupBy(streams, (stream) => stream.agentId);
    const most = groups.reduce((largest, each) => (each.length > largest.length ? each : largest), []);
    if (most.length > Math.max(1, own.length)) return most[0];
    return own[0] ?? 'none';
  }
}

export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), group);
    group.push(item);
  }
  return [...groups.values()];
}
