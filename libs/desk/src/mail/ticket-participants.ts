import { filter, rangeOf, rowByKey } from '#libs/database';

/** The newest messages of a ticket, among whose authors an address is looked for. Bounds what a mail costs. */
const MAX_MESSAGES_READ = 1000;

/**
 * SQL: whether an address takes part in the ticket of a row: as its customer, or as an author there. Add the recipients
 * of messages here once they are stored.
 */
export const takesPart = (ticket: string, email: string): string => {
  const customer = `(select id from ${rowByKey('customers', 'email', email)} one)`;
  const agent = `(select id from ${rowByKey('agents', 'email', email)} one)`;
  return `(${filter(`${ticket}.customer_id = ${customer}`)} or exists (
    select from (select p.author_customer_id, p.author_agent_id from messages p
      where ${rangeOf('p.ticket_id', `${ticket}.id`)} order by p.ticket_id desc, p.id desc limit ${MAX_MESSAGES_READ}) p
    where ${filter(`p.author_customer_id = ${customer} or p.author_agent_id = ${agent}`)}))`;
};
