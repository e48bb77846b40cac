import type { Replay } from '#libs/entities';
import type { Links } from './links.js';

export function replayPayload(replay: Replay, links: Links) {
  return {
    id: replay.id,
    href: links.replay(replay.id),
    state: replay.state,
    only: replay.choice,
    since: replay.since.toISOString(),
    before: replay.before.toISOString(),
    total: replay.state === 'counting' ? null : replay.total,
    redelivered: replay.redelivered,
    created_at: replay.createdAt.toISOString(),
    finished_at: replay.finishedAt?.toISOString() ?? null,
    links: { webhook: { href: links.webhook(replay.webhookId) } },
  };
}
