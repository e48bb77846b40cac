import { COPIED_KINDS, type CopiedKind } from '#libs/entities';
import * as json from './json-schema.js';
import { mailboxPayload } from './mailbox.payload.js';
import { attachmentPayload, messagePayload } from './message.payload.js';
import { agentPayload, customerPayload, groupPayload } from './people.payload.js';
import { type RecordPayload, recordPayload } from './record-payload.js';
import { ticketPayload } from './ticket.payload.js';

const PAYLOADS = {
  agent: agentPayload,
  group: groupPayload,
  mailbox: mailboxPayload,
  customer: customerPayload,
  ticket: ticketPayload,
  message: messagePayload,
  attachment: attachmentPayload,
} satisfies Record<CopiedKind, RecordPayload<never>>;

export type CopiedRecord = Parameters<(typeof PAYLOADS)[CopiedKind]>[0];

export interface Change {
  readonly kind: CopiedKind;
  readonly id: string;
  readonly isDeleted: boolean;
  /** Null after permanent deletion. */
  readonly record: CopiedRecord | null;
}

const SCHEMA_NAMES = COPIED_KINDS.map((kind) => `${kind[0]!.toUpperCase()}${kind.slice(1)}`);

export const changePayload = recordPayload<Change>('The current state of a changed record.', {
  type: [json.oneOf(COPIED_KINDS), 'kind'],
  id: [json.text('The `id` of the record. Together with `type`, the key in your copy.'), 'id'],
  deleted: [
    json.flag('True if the record was deleted: remove it from your copy. If the ticket is restored, it is sent again.'),
    'isDeleted',
  ],
  record: [
    {
      anyOf: [...SCHEMA_NAMES.map(json.ref), { type: 'null' }],
      description: 'The record, as `GET href` returns it. Null after permanent deletion.',
    },
    ({ kind, record }, links) => record && PAYLOADS[kind](record as never, links),
  ],
});
