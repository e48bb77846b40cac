import type { RequestContext, AttachmentsService, MessagesService } from '#libs/desk';
import type { SeededRandom } from './seeded-random.js';

const FILES = [
  { name: 'order-confirmation.txt', contentType: 'text/plain', text: 'Thank you for your order.\n' },
  { name: 'serial-numbers.csv', contentType: 'text/csv', text: 'item,serial\ntent,TN-20410\npoles,PL-88213\n' },
  { name: 'Rückgabe und Garantie.txt', contentType: 'text/plain', text: 'Returned within 30 days, unused.\n' },
] as const;

interface AttachmentServices {
  readonly messages: MessagesService;
  readonly attachments: AttachmentsService;
  readonly random: SeededRandom;
}

/** With the first message of a ticket: what its customer sent along. */
export async function attachFile(desk: AttachmentServices, as: RequestContext, number: number): Promise<void> {
  const { messages, attachments, random } = desk;
  const { items } = await messages.list(as, number, { page: 1, perPage: 1, cursor: undefined });
  const { text, ...file } = random.pick(FILES);
  await attachments.attach(as, items[0]!.id, asyncSingle({ ...file, content: asyncSingle(Buffer.from(text)) }));
}

async function* asyncSingle<T>(value: T): AsyncGenerator<T> {
  yield value;
}
