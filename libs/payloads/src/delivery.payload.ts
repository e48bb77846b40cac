import type { Attempt, Delivery, Event } from '#libs/entities';
import type { Links } from './links.js';

/** What became of one event for one webhook, which may be no more: then there is nothing to link to. */
export function deliveryPayload(delivery: Delivery, links: Links, hasWebhook = true) {
  return {
    id: delivery.id,
    href: links.delivery(delivery.id),
    event: delivery.kind,
    event_id: delivery.eventId,
    state: delivery.state,
    attempt_count: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    links: hasWebhook ? { webhook: { href: links.webhook(delivery.webhookId) } } : {},
  };
}

interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: Event | null;
  readonly attempts: readonly Attempt[];
  readonly hasWebhook: boolean;
}

/** With its whole story: what was sent, and each time it was. */
export function deliveryDetailsPayload({ delivery, event, attempts, hasWebhook }: DeliveryDetails, links: Links) {
  return {
    ...deliveryPayload(delivery, links, hasWebhook),
    test: event?.test ?? false,
    payload: event && (JSON.parse(event.payload) as object),
    attempts: attempts.map(attemptPayload),
  };
}

/** One POST as it went. The signature was never kept. */
export function attemptPayload(attempt: Attempt) {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    error_detail: attempt.errorDetail,
    request_headers: attempt.requestHeaders,
    response_body: attempt.responseBody,
    next_reason: attempt.nextReason,
    next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
  };
}
