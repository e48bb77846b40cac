import type { Acting } from '#libs/desk';
import type { Stage } from './history.js';

const FILES = [
  { name: 'order-confirmation.txt', contentType: 'text/plain', text: 'Thank you for your order.\n' },
  { name: 'serial-numbers.csv', contentType: 'text/csv', text: 'item,serial\ntent,TN-20410\npoles,PL-88213\n' },
  { name: 'Rückgabe und Garantie.txt', contentType: 'text/plain', text: 'Returned within 30 days, unused.\n' },
] as const;

/** With the first message of a ticket: what its customer sent along. */
export async function attachFile(stage: Stage, as: Acting, number: number): Promise<void> {
  const { messages, attachments, random } = stage;
  const { items } = await messages.list(as, number, { page: 1, perPage: 1, cursor: undefined });
  const { text, ...file } = random.pick(FILES);
  await attachments.attach(as, items[0]!.id, oneOf({ ...file, content: oneOf(Buffer.from(text)) }));
}

async function* oneOf<T>(value: T): AsyncGenerator<T> {
  yield value;
}
