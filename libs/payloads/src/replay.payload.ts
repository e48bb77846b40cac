import { RESPONSE_CLASSES, REPLAY_CHOICES, REPLAY_STATES, type Replay } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const replayPayload = recordPayload<Replay>('A replay of a webhook’s deliveries.', {
  id: [json.id, 'id'],
  href: [json.href, (replay, links) => links.record('replays', replay.id)],
  state: [json.oneOf(REPLAY_STATES, '`counting`: finding the deliveries. `running`: queueing them.'), 'state'],
  only: [json.oneOf(REPLAY_CHOICES, 'Which deliveries are sent again.'), 'choice'],
  last_response: [
    json.oneOfOrNull(RESPONSE_CLASSES, 'Replays only deliveries whose last response was in this class. Null for all.'),
    'lastResponse',
  ],
  since: [json.timeOf('Only deliveries created at this time or later.'), 'since'],
  before: [json.timeOf('Only deliveries created before this time.'), 'before'],
  total: [
    {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Number of matching deliveries. Null while they are being counted.',
    },
    ({ state, total }) => (state === 'counting' ? null : total),
  ],
  redelivered: [json.countOf('Number of deliveries queued again so far.'), 'redelivered'],
  created_at: [json.createdAt, 'createdAt'],
  finished_at: [json.timeOrNull('When it ended. Null while it runs.'), 'finishedAt'],
  links: [
    json.linksTo(['webhook']),
    ({ webhookId }, links) => ({ webhook: { href: links.record('webhooks', webhookId) } }),
  ],
});

export interface ReplayForecast {
  readonly webhooks: readonly unknown[];
  readonly deliveries: number;
  readonly capped: boolean;
  readonly oldestAt: Date | null;
  readonly running: number;
}

export const replayPreviewPayload = recordPayload<ReplayForecast>('What a replay would send.', {
  deliveries: [json.countOf('Number of deliveries it would send.'), 'deliveries'],
  capped: [json.flag('True if there may be more: only the newest deliveries were searched.'), 'capped'],
  oldest_at: [
    json.timeOrNull('When the oldest of them was created. If `capped`, there may be older ones.'),
    'oldestAt',
  ],
  webhooks: [
    json.countOf('Number of webhooks to replay. If `capped`, some may have nothing to send.'),
    ({ webhooks }) => webhooks.length,
  ],
  running: [json.countOf('Number of webhooks with a running replay. Their deliveries are not counted.'), 'running'],
});
