import type { JsonSchema } from '#libs/payloads';
import type { Route } from './route-reader.js';
import { WITHOUT_NUL } from './rule-schemas.js';

const MAX_TICKET_NUMBER = 2_147_483_647;
const MAX_CHARACTERS = 320;

const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS, pattern: WITHOUT_NUL };

/** What a parameter of a path names, after what stands before it. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'tickets/number': 'Number of the ticket.',
  'tags/tag': 'Name of the tag.',
  'change_mailbox/mailbox_id': 'Id of the mailbox.',
  'customers/email': 'E-mail or id of the customer.',
  'agents/email': 'E-mail or id of the agent.',
  'groups/id': 'Id or name of the group.',
  'mailboxes/id': 'Id, name or e-mail of the mailbox.',
  'messages/id': 'Id of the message.',
  'attachments/id': 'Id of the attachment.',
  'arrivals/id': 'Id of the arrival.',
  'webhooks/id': 'Id of the webhook.',
  'deliveries/id': 'Id of the delivery.',
  'replays/id': 'Id of the replay.',
  'events/id': 'Id of the event.',
};

export const pathParameters = ({ path, parameters }: Route) =>
  parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: descriptionOf(path, name),
    schema: name === 'number' ? { type: 'integer', minimum: 1, maximum: MAX_TICKET_NUMBER } : TEXT,
  }));

/** A parameter without words stops the API from starting. */
function descriptionOf(path: string, name: string): string {
  const [before = ''] = path.split(`/{${name}}`);
  const key = `${before.split('/').at(-1)}/${name}`;
  const words = DESCRIPTIONS[key];
  if (!words) throw new Error(`The parameter ${name} of ${path} has no words in the OpenAPI document: describe ${key}`);
  return words;
}
