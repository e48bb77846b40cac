import { Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { LoadedEvent } from './due-delivery.js';

const READ = systemStatement(
  'delivery_events',
  'A batch holds events of many accounts; each goes only to the webhooks of its own deliveries',
  `select e.id, e.sequence, e.payload, e.request_id as "requestId", e.created_at as "createdAt"
   from unnest($1::uuid[]) as wanted(id) join events e on e.id = wanted.id`,
);

const KEPT_BYTES = 16 * 1024 * 1024;

type Row = Omit<LoadedEvent, 'body'> & { readonly payload: string };

/**
 * An event goes to many webhooks and is read once for them. It never changes, so what is kept is never stale; the ones
 * used longest ago make room.
 */
@Injectable()
export class EventCache {
  private readonly kept = new Map<string, LoadedEvent>();
  private bytes = 0;

  constructor(private readonly database: Database) {}

  /** No round trip where all are known, else one. Purged events are missing from the answer. */
  async read(ids: Iterable<string>): Promise<ReadonlyMap<string, LoadedEvent>> {
    const found = new Map<string, LoadedEvent>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const known = this.touch(id);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    for (const { payload, ...row } of await this.database.system().rows<Row>(READ, [missing])) {
      const event = { ...row, body: Buffer.from(payload, 'utf8') };
      found.set(event.id, event);
      this.keep(event);
    }
    return found;
  }

  private touch(id: string): LoadedEvent | undefined {
    const event = this.kept.get(id);
    if (!event) return undefined;
    this.kept.delete(id);
    this.kept.set(id, event);
    return event;
  }

  private keep(event: LoadedEvent): void {
    if (this.kept.has(event.id)) return;
    this.kept.set(event.id, event);
    this.bytes += event.body.length;
    for (const [id, { body }] of this.kept) {
      if (this.bytes <= KEPT_BYTES) return;
      this.kept.delete(id);
      this.bytes -= body.length;
    }
  }
}
