import { ANSWER_CLASSES, REPLAY_CHOICES, REPLAY_STATES, type Replay } from '#libs/entities';
import { address, count, id, linksTo, nullableTime, oneOf, oneOfOrNull, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const replayPayload = recordPayload<Replay>('Many deliveries of a webhook that go out again.', {
  id: [id, 'id'],
  href: [address, (replay, links) => links.record('replays', replay.id)],
  state: [oneOf(REPLAY_STATES), 'state'],
  only: [oneOf(REPLAY_CHOICES), 'choice'],
  last_answer: [
    { ...oneOfOrNull(ANSWER_CLASSES), description: 'Only those whose last attempt was answered so; null for all.' },
    'answer',
  ],
  since: [time, 'since'],
  before: [time, 'before'],
  total: [
    { type: ['integer', 'null'], minimum: 0, description: 'How many there are; null while they are counted.' },
    ({ state, total }) => (state === 'counting' ? null : total),
  ],
  redelivered: [{ ...count, description: 'How many of them have been sent on their way again.' }, 'redelivered'],
  created_at: [time, 'createdAt'],
  finished_at: [nullableTime, 'finishedAt'],
  links: [linksTo(['webhook']), ({ webhookId }, links) => ({ webhook: { href: links.record('webhooks', webhookId) } })],
});

interface ReplayPreview {
  readonly webhooks: readonly unknown[];
  readonly deliveries: number;
  readonly capped: boolean;
  readonly oldestAt: Date | null;
  readonly running: number;
}

export const replayPreviewPayload = recordPayload<ReplayPreview>('What a replay would send.', {
  deliveries: [count, 'deliveries'],
  capped: [{ type: 'boolean', description: 'There may be more: only the newest deliveries were looked at.' }, 'capped'],
  oldest_at: [
    { ...nullableTime, description: 'When the oldest of them was made; there may be older ones if `capped`.' },
    'oldestAt',
  ],
  webhooks: [
    { ...count, description: 'Webhooks that would be replayed. With `capped`, some may have nothing to send.' },
    ({ webhooks }) => webhooks.length,
  ],
  running: [
    { ...count, description: 'Webhooks that are being replayed now. What they still have to send is not counted.' },
    'running',
  ],
});
