import { type JsonSchema, ref } from '#libs/payloads';

/** Only a deleted ticket has `meta`. Its record stays as it was. */
export const TICKET_RESPONSE: JsonSchema = {
  type: 'object',
  properties: {
    ticket: ref('Ticket'),
    meta: {
      type: 'object',
      description: 'Only where the ticket is deleted.',
      properties: { deleted_at: { type: 'string', format: 'date-time' } },
      required: ['deleted_at'],
    },
  },
  required: ['ticket'],
};
