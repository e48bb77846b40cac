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

export const changePayload = recordPayload<Change>('The current state of a changed record.', {
  type: [json.oneOf(COPIED_KINDS, 'Type of the record.'), 'kind'],
  id: [json.text('The `id` of the record. Together with `type`, the key in your copy.'), 'id'],
  deleted: [
    json.flag('True if the record was deleted: remove it from your copy. If the ticket is restored, it is sent again.'),
    'isDeleted',
  ],
  record: [
    json.refOrNull('Ticket', 'The record, as `GET href` returns it. Null after permanent deletion.'),
    ({ kind, record }, links) => record && PAYLOADS[kind](record as never, links),
  ],
});

const schemaNames = COPIED_KINDS.map((kind) => [kind, `${kind[0]!.toUpperCase()}${kind.slice(1)}`] as const);
const refs = schemaNames.map(([kind, name]) => [kind, json.ref(`${name}Change`)] as const);

const { schema } = changePayload;
const { type, record } = schema.properties;

/** One schema for each type of record, so that generated clients know which record a change has. */
export const CHANGE_SCHEMAS: Readonly<Record<string, json.JsonSchema>> = {
  Change: {
    description: schema.description,
    oneOf: refs.map(([, one]) => one),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(refs.map(([kind, { $ref }]) => [kind, $ref!])) },
  },
  ...Object.fromEntries(
    schemaNames.map(([kind, name]) => {
      const own = { type: { ...type, enum: [kind] }, record: { ...record, ...json.refOrNull(name) } };
      return [`${name}Change`, { ...schema, properties: { ...schema.properties, ...own } }];
    }),
  ),
};
