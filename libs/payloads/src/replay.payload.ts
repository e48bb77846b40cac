import { RESPONSE_CLASSES, REPLAY_CHOICES, REPLAY_STATES, type Replay } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const replayPayload = recordPayload<Replay>('Many deliveries of a webhook that go out again.', {
  id: [json.id, 'id'],
  href: [json.address, (replay, links) => links.record('replays', replay.id)],
  state: [json.oneOf(REPLAY_STATES), 'state'],
  only: [json.oneOf(REPLAY_CHOICES), 'choice'],
  last_response: [
    json.oneOfOrNull(RESPONSE_CLASSES, 'Only those whose last attempt got a response of this class; null for all.'),
    'lastResponse',
  ],
  since: [json.time, 'since'],
  before: [json.time, 'before'],
  total: [
    { type: ['integer', 'null'], minimum: 0, description: 'How many there are; null while they are counted.' },
    ({ state, total }) => (state === 'counting' ? null : total),
  ],
  redelivered: [json.countOf('How many of them have been sent on their way again.'), 'redelivered'],
  created_at: [json.time, 'createdAt'],
  finished_at: [json.nullableTime, 'finishedAt'],
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
  deliveries: [json.count, 'deliveries'],
  capped: [json.flag('There may be more: only the newest deliveries were looked at.'), 'capped'],
  oldest_at: [json.timeOrNull('When the oldest of them was made; there may be older ones if `capped`.'), 'oldestAt'],
  webhooks: [
    json.countOf('Webhooks that would be replayed. With `capped`, some may have nothing to send.'),
    ({ webhooks }) => webhooks.length,
  ],
  running: [
    json.countOf('Webhooks that are being replayed now. What they still have to send is not counted.'),
    'running',
  ],
});
