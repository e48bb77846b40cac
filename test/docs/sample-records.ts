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
  accountId: '0199f3aa-5c1f-7c52-b1d0-8a3e6f2b9d47',
  webhookId: '019a8bff-2d10-7a44-9e05-c7b2f1d3864a',
  cause: { type: 'agent', agentId: '0199f3aa-5c20-7e18-b6f2-91d7c4a03e6b' },
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
