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

export { agentPayload } from './agent.payload.js';
export { attachmentPayload } from './attachment.payload.js';
export { customerPayload } from './customer.payload.js';
export { attemptPayload, deliveryPayload, deliveryDetailsPayload } from './delivery.payload.js';
export { eventKindPayload, eventPayload } from './event.payload.js';
export { groupPayload } from './group.payload.js';
export { mailboxPayload } from './mailbox.payload.js';
export { messagePayload } from './message.payload.js';
export { replayPayload } from './replay.payload.js';
export { TICKET_PARTS, type TicketActivity, type TicketPart, ticketPayload } from './ticket.payload.js';
export { webhookPayload, webhookSecretPayload } from './webhook.payload.js';

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
