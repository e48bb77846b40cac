import type { Event } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from './event-kinds.js';
import type { Links } from './links.js';
import { samplePayload } from './sample-payloads.js';

/** An event as the feed tells it: the same id, number and record that a webhook is sent. */
export function eventPayload(event: Event, links: Links) {
  return {
    id: event.id,
    href: links.event(event.id),
    event: event.kind,
    sequence: Number(event.sequence),
    created_at: event.createdAt.toISOString(),
    payload: JSON.parse(event.payload) as object,
  };
}

export function eventKindPayload(kind: EventKind, links: Links) {
  const { when, record } = EVENT_KINDS[kind];
  return { event: kind, when, record, sample: samplePayload(kind, links) };
}
