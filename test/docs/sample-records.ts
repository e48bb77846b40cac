import { Links, samplePayload } from '#libs/payloads';

const links = new Links('https://desk.example');

/** The records that the guide shows, as the product writes them. */
export const SAMPLES = {
  Ticket: samplePayload('ticket_closed', links),
  Message: samplePayload('agent_replied', links),
  Customer: samplePayload('customer_added', links),
  Agent: samplePayload('agent_invited', links),
};
