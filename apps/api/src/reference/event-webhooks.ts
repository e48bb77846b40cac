import { EVENT_KINDS, type EventKind, type Links, ref, samplePayload } from '#libs/payloads';
import { parameter } from './operation.js';

const header = (name: string, description: string, required = true) =>
  parameter({ name, in: 'header', required, description });

const HEADERS = [
  header('webhook-id', 'Of the event: the same for every attempt and every replay.'),
  header('webhook-timestamp', 'Of this attempt, in seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the Base64 HMAC-SHA256 of id, timestamp and body; one for each live secret. With `v1a`, also `v1a,` and the Base64 Ed25519 signature of the same; one for each key.',
  ),
  header('webhook-key-id', 'Ids of the keys of the `v1a` signatures, in their order, separated by spaces.', false),
  header('webhook-event', 'The kind of event.'),
  header('webhook-attempt', 'Counts from 1.'),
  header('webhook-sequence', 'Grows with every event of the account.'),
  header('webhook-test', '`true` on a test event, whose records do not exist; else absent.', false),
];

export const eventWebhooks = (links: Links) =>
  Object.fromEntries(
    (Object.keys(EVENT_KINDS) as EventKind[]).map((kind) => [
      kind,
      {
        post: {
          operationId: `webhook-${kind}`,
          summary: EVENT_KINDS[kind].when,
          tags: ['events'],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: ref(EVENT_KINDS[kind].record), example: samplePayload(kind, links) },
            },
          },
          responses: {
            '2XX': { description: 'Received.' },
            410: { description: 'Not wanted any more: disables the webhook.' },
            default: { description: 'Anything else is tried again later.' },
          },
        },
      },
    ]),
  );
