import { REPLAY_CHOICES, REPLAY_STATES, type Replay } from '#libs/entities';
import { address, count, id, linksTo, nullableTime, objectSchema, time } from './json-schema.js';
import type { Links } from './links.js';

export function replayPayload(replay: Replay, links: Links) {
  return {
    id: replay.id,
    href: links.record('replays', replay.id),
    state: replay.state,
    only: replay.choice,
    since: replay.since.toISOString(),
    before: replay.before.toISOString(),
    total: replay.state === 'counting' ? null : replay.total,
    redelivered: replay.redelivered,
    created_at: replay.createdAt.toISOString(),
    finished_at: replay.finishedAt?.toISOString() ?? null,
    links: { webhook: { href: links.record('webhooks', replay.webhookId) } },
  };
}

export const replaySchema = objectSchema<ReturnType<typeof replayPayload>>(
  'Many deliveries of a webhook that go out again.',
  {
    id,
    href: address,
    state: { type: 'string', enum: REPLAY_STATES },
    only: { type: 'string', enum: REPLAY_CHOICES },
    since: time,
    before: time,
    total: { type: ['integer', 'null'], minimum: 0, description: 'How many there are; null while they are counted.' },
    redelivered: { ...count, description: 'How many of them have been sent on their way again.' },
    created_at: time,
    finished_at: nullableTime,
    links: linksTo(['webhook']),
  },
);
