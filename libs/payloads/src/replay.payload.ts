import { REPLAY_CHOICES, REPLAY_STATES, type Replay } from '#libs/entities';
import { address, count, id, linksTo, nullableTime, oneOf, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const replayPayload = recordPayload<Replay>('Many deliveries of a webhook that go out again.', {
  id: [id, 'id'],
  href: [address, (replay, links) => links.record('replays', replay.id)],
  state: [oneOf(REPLAY_STATES), 'state'],
  only: [oneOf(REPLAY_CHOICES), 'choice'],
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
