import type { LoadedEvent } from './due-delivery.js';

const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * An event goes to many webhooks and is read once for them. It never changes, so what is kept is never stale. There are
 * two generations: when the younger one is full, the elder goes as a whole. To throw out the eldest one by one would cost
 * more with every one, as a Map that is emptied from its beginning must first pass over all the places left there.
 */
export class EventCache {
  private young = new Map<string, LoadedEvent>();
  private old = new Map<string, LoadedEvent>();
  private youngBytes = 0;

  constructor(private readonly keptBytes = KEPT_BYTES) {}

  known(ids: Iterable<string>): Map<string, LoadedEvent> {
    const found = new Map<string, LoadedEvent>();
    for (const id of ids) {
      const event = this.young.get(id) ?? this.revived(id);
      if (event) found.set(id, event);
    }
    return found;
  }

  keep(event: LoadedEvent): LoadedEvent {
    if (this.young.has(event.id)) return event;
    this.young.set(event.id, event);
    this.youngBytes += event.body.length;
    if (this.youngBytes > this.keptBytes / 2) this.age();
    return event;
  }

  private revived(id: string): LoadedEvent | undefined {
    const event = this.old.get(id);
    return event && this.keep(event);
  }

  private age(): void {
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}
