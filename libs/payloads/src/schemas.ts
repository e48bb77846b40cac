import { agentSchema } from './agent.payload.js';
import { attachmentSchema } from './attachment.payload.js';
import { customerSchema } from './customer.payload.js';
import { attemptSchema, deliverySchema, deliveryStorySchema } from './delivery.payload.js';
import { eventKindSchema, eventSchema } from './event.payload.js';
import { groupSchema } from './group.payload.js';
import { type JsonSchema, address, linksTo, string } from './json-schema.js';
import { mailboxSchema } from './mailbox.payload.js';
import { messageSchema } from './message.payload.js';
import { replaySchema } from './replay.payload.js';
import { ticketSchema } from './ticket.payload.js';
import { newWebhookSchema, webhookSchema, webhookSecretSchema } from './webhook.payload.js';

const folderSchema: JsonSchema = {
  type: 'object',
  description: 'A built-in view of tickets.',
  properties: { id: string, name: string, links: linksTo(['tickets']) },
  required: ['id', 'name', 'links'],
};

const linkSchema: JsonSchema = { type: 'object', properties: { href: address }, required: ['href'] };

/** Every record that an answer or an event can carry, by the name the OpenAPI document gives it. */
export const SCHEMAS = {
  Ticket: ticketSchema,
  Customer: customerSchema,
  Message: messageSchema,
  Agent: agentSchema,
  Group: groupSchema,
  Mailbox: mailboxSchema,
  Attachment: attachmentSchema,
  Folder: folderSchema,
  Link: linkSchema,
  Webhook: webhookSchema,
  NewWebhook: newWebhookSchema,
  WebhookSecret: webhookSecretSchema,
  Delivery: deliverySchema,
  DeliveryStory: deliveryStorySchema,
  Attempt: attemptSchema,
  Replay: replaySchema,
  Event: eventSchema,
  EventKind: eventKindSchema,
} satisfies Record<string, JsonSchema>;

export type SchemaName = keyof typeof SCHEMAS;
