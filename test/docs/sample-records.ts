import { Links, sampleOf } from '#libs/payloads';

const links = new Links('https://desk.example');

/** The records that the guide shows, as the product writes them. */
export const SAMPLES = {
  Ticket: sampleOf('ticket_closed', links),
  Message: sampleOf('agent_replied', links),
  Customer: sampleOf('customer_added', links),
  Agent: sampleOf('agent_invited', links),
};
