import { filter, rangeOf, rowByKey } from '#libs/database';

/** The newest messages of a ticket, among whose authors and recipients an address is looked for. Bounds what a mail costs. */
const MAX_MESSAGES_READ = 1000;

/**
 * SQL: whether the sender of a mail takes part in the ticket of a row: as its customer, as an author there, or in To or Cc of
 * a message. To and Cc are claims, so a recipient takes part only in mail that also goes to the customer: an attacker could
 * name the victim in the Cc of a mail that the victim never gets, and would get the thread of the victim's next mail.
 */
export const takesPart = (ticket: string, email: string, mailedTo: string): string => {
  const customer = `(select id from ${rowByKey('customers', 'email', email)} one)`;
  const agent = `(select id from ${rowByKey('agents', 'email', email)} one)`;
  const mailsCustomer = `exists (select from customers c where c.id = ${ticket}.customer_id and c.email = any(${mailedTo}))`;
  return `(${filter(`${ticket}.customer_id = ${customer}`)} or exists (
    select from (select p.author_customer_id, p.author_agent_id, p.to_addresses || p.cc_addresses as recipients from messages p
      where ${rangeOf('p.ticket_id', `${ticket}.id`)} order by p.ticket_id desc, p.id desc limit ${MAX_MESSAGES_READ}) p
    where ${filter(`p.author_customer_id = ${customer} or p.author_agent_id = ${agent}
      or ${email} = any(p.recipients) and ${mailsCustomer}`)}))`;
};
