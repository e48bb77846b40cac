import { Links, samplePayload } from '#libs/payloads';
import { signatureHeaders } from '#libs/delivery';

const links = new Links('https://desk.example');

/** The records in the guide, as the product writes them. */
export const SAMPLES = {
  Ticket: samplePayload('ticket_closed', links),
  Message: samplePayload('agent_replied', links),
  Customer: samplePayload('customer_added', links),
  Agent: samplePayload('agent_invited', links),
};

/** Headers of the request in the guide. */
export const EXAMPLE_HEADERS = signatureHeaders({
  eventId: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a10',
  kind: 'ticket_closed',
  sequence: 4711,
  attempt: 1,
  secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
  timestamp: new Date(1_763_625_600_000),
  body: Buffer.from(JSON.stringify(SAMPLES.Ticket)),
  aliases: [],
  version: '0.1.0',
});
