import { arrivalPayload } from './arrival.payload.js';
import { CHANGE_SCHEMAS, changePayload } from './change.payload.js';
import { attemptPayload, deliveryDetailsPayload, deliveryPayload } from './delivery.payload.js';
import { eventKindPayload, eventPayload } from './event.payload.js';
import * as json from './json-schema.js';
import { imapImportPayload, imapPayload, mailboxPayload, mailboxSmtpPayload } from './mailbox.payload.js';
import { attachmentPayload, messagePayload } from './message.payload.js';
import { agentPayload, customerPayload, groupPayload } from './people.payload.js';
import { type RecordPayload, recordPayload } from './record-payload.js';
import { replayPayload, replayPreviewPayload } from './replay.payload.js';
import { savedReplyPayload } from './saved-reply.payload.js';
import { ticketPayload, wholeTicketPayload } from './ticket.payload.js';
import {
  newWebhookPayload,
  webhookPayload,
  webhookSecretPayload,
  webhookStatisticsPayload,
} from './webhook.payload.js';

const folderPayload = recordPayload<{ readonly id: string; readonly name: string }>('A built-in view of tickets.', {
  id: [json.text('Value for the parameter `folder` of tickets.'), 'id'],
  name: [json.text('Name for people.'), 'name'],
  links: [json.linksTo(['tickets']), (folder, links) => ({ tickets: { href: links.ticketsOfFolder(folder.id) } })],
});

/** By name in the OpenAPI document. */
export const RECORDS = {
  Ticket: ticketPayload,
  WholeTicket: wholeTicketPayload,
  Customer: customerPayload,
  Message: messagePayload,
  Agent: agentPayload,
  Group: groupPayload,
  SavedReply: savedReplyPayload,
  Mailbox: mailboxPayload,
  Imap: imapPayload,
  ImapImport: imapImportPayload,
  MailboxSmtp: mailboxSmtpPayload,
  Attachment: attachmentPayload,
  Arrival: arrivalPayload,
  Folder: folderPayload,
  Webhook: webhookPayload,
  NewWebhook: newWebhookPayload,
  WebhookSecret: webhookSecretPayload,
  WebhookStatistics: webhookStatisticsPayload,
  Delivery: deliveryPayload,
  DeliveryStory: deliveryDetailsPayload,
  Attempt: attemptPayload,
  Replay: replayPayload,
  ReplayPreview: replayPreviewPayload,
  Event: eventPayload,
  EventKind: eventKindPayload,
  Change: changePayload,
} satisfies Record<string, RecordPayload<never>>;

export type RecordName = keyof typeof RECORDS;

export const SCHEMAS = {
  ...(Object.fromEntries(Object.entries(RECORDS).map(([name, { schema }]) => [name, schema])) as Record<
    RecordName,
    json.JsonSchema
  >),
  ...CHANGE_SCHEMAS,
  Link: json.objectOf({ href: json.addressOf('Its URL, for `GET`.') }, 'A related record or list.'),
};
