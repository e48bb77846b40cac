import { type JsonSchema, ref } from '#libs/payloads';

/** `meta` is there only for a ticket in the folder of the deleted: the record itself stays as it last was. */
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
