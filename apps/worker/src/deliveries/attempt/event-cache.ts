import type { LoadedEvent } from './due-delivery.js';

const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const MAX_COUNTED_IDS = 4_000;

/**
 * Events never change. Drops the older of two generations at once, because deleting entries slows down a Map. Keeps an
 * event from its second request on: most go to one webhook, and keeping all makes garbage collection expensive.
 */
export class EventCache {
  private young = new Map<string, LoadedEvent>();
  private old = new Map<string, LoadedEvent>();
  private youngBytes = 0;
  private requestCounts = new Map<string, number>();

  constructor(private readonly keptBytes = MAX_CACHED_BYTES) {}

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

/** A small Buffer is a slice of a shared pool, and would keep it in memory. */
function alone(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}
