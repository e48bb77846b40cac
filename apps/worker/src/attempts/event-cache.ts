import type { LoadedEvent } from './due-delivery.js';

const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const MAX_COUNTED_IDS = 4_000;

/**
 * An event goes to many webhooks and is read once for them. It never changes, so what is kept is never stale. There are
 * two generations: when the younger one is full, the elder goes as a whole. To throw out the eldest one by one would cost
 * more with every one, as a Map that is emptied from its beginning must first pass over all the places left there.
 *
 * Most events go to one webhook. They are not kept: what lives for some seconds is garbage of the costly kind. So an event
 * is kept from the second time it is asked for, which for several deliveries loaded together is at once.
 */
export class EventCache {
  private young = new Map<string, LoadedEvent>();
  private old = new Map<string, LoadedEvent>();
  private youngBytes = 0;
  /** How often, of those that are not kept. */
  private requestCounts = new Map<string, number>();

  constructor(private readonly keptBytes = MAX_CACHED_BYTES) {}

  /** Each id as often as it is asked for. */
  getAll(ids: Iterable<string>): Map<string, LoadedEvent> {
    const found = new Map<string, LoadedEvent>();
    for (const id of ids) {
      const event = this.young.get(id) ?? this.promote(id);
      if (event) found.set(id, event);
      else this.countRequest(id);
    }
    return found;
  }

  offer(event: LoadedEvent): LoadedEvent {
    if ((this.requestCounts.get(event.id) ?? 0) > 1) this.add(event);
    return event;
  }

  private countRequest(id: string): void {
    if (this.requestCounts.size >= MAX_COUNTED_IDS) this.requestCounts = new Map();
    this.requestCounts.set(id, (this.requestCounts.get(id) ?? 0) + 1);
  }

  private promote(id: string): LoadedEvent | undefined {
    const event = this.old.get(id);
    if (event) this.add(event);
    return event;
  }

  private add(event: LoadedEvent): void {
    if (this.young.has(event.id)) return;
    this.young.set(event.id, event);
    this.youngBytes += event.body.length;
    if (this.youngBytes > this.keptBytes / 2) this.age();
  }

  private age(): void {
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}
