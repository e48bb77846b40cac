import type { LoadedEvent } from './due-delivery.js';

const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * An event goes to many webhooks and is read once for them. It never changes, so what is kept is never stale; the ones
 * used longest ago make room.
 */
export class EventCache {
  private readonly kept = new Map<string, LoadedEvent>();
  private bytes = 0;

  known(ids: Iterable<string>): Map<string, LoadedEvent> {
    const found = new Map<string, LoadedEvent>();
    for (const id of ids) {
      const event = this.touch(id);
      if (event) found.set(id, event);
    }
    return found;
  }

  keep(event: LoadedEvent): LoadedEvent {
    if (this.kept.has(event.id)) return event;
    this.kept.set(event.id, event);
    this.bytes += event.body.length;
    for (const [id, { body }] of this.kept) {
      if (this.bytes <= KEPT_BYTES) break;
      this.kept.delete(id);
      this.bytes -= body.length;
    }
    return event;
  }

  private touch(id: string): LoadedEvent | undefined {
    const event = this.kept.get(id);
    if (!event) return undefined;
    this.kept.delete(id);
    this.kept.set(id, event);
    return event;
  }
}
