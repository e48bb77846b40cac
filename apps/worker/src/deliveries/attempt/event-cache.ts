import type { LoadedEvent } from './due-delivery.js';

/** Of bodies. The rest of an event takes about as much as a small one. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const MAX_COUNTED_IDS = 4_000;

/**
 * Reads an event once for the many webhooks that it goes to. An event never changes, so the cache is never stale. It has
 * two generations, and drops the older one as a whole when the younger one is full. Deleting the oldest events one by one
 * gets slower with each, because a Map passes over every place that was freed at its beginning.
 *
 * Most events go to one webhook. Keeping them for some seconds makes garbage collection expensive, so an event is kept
 * only from its second request on. Several deliveries that are loaded together count as several requests.
 */
export class EventCache {
  private young = new Map<string, LoadedEvent>();
  private old = new Map<string, LoadedEvent>();
  private youngBytes = 0;
  /** Requests for events that are not kept. */
  private requestCounts = new Map<string, number>();

  constructor(private readonly keptBytes = MAX_CACHED_BYTES) {}

  /** An id that is wanted several times is given several times. */
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
    this.young.set(event.id, { ...event, body: alone(event.body) });
    this.youngBytes += event.body.length;
    if (this.youngBytes > this.keptBytes / 2) this.age();
  }

  private age(): void {
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}

/** A small Buffer is cut from eight kibibytes that it shares with others, and would keep all of them for as long as it is kept. */
function alone(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}
