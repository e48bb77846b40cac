import { InvalidField, type Ticket } from '#libs/entities';
import { type NamedAgent, agentName } from '../../layers/ui/agent-name.js';

const VARIABLE = /\{\{(customer|agent|ticket|mailbox)\}\}/g;

/** A variable without a value stays in the text. */
export function fillVariables(text: string, me: NamedAgent, { customer, number, mailbox }: Ticket): string {
  const values = { customer: customer.name(), agent: agentName(me), ticket: `#${number}`, mailbox: mailbox.name };
  return text.replaceAll(VARIABLE, (written, name: keyof typeof values) => values[name] || written);
}

export function refuseVariables(text: string): void {
  const [left] = text.match(VARIABLE) ?? [];
  if (left === undefined) return;
  const why = left === '{{customer}}' ? 'This customer has no name' : `${left} has no value here`;
  throw new InvalidField('body', 'variable_left', `${why}. Replace ${left} before you send.`);
}
