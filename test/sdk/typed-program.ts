/** A user's program: a wrong name or type in it does not compile. */
export const TYPED_PROGRAM = `
import { Deskwire, DeskwireError } from '@deskwire/sdk';

const [, , baseUrl, token, mailbox] = process.argv as [string, string, string, string, string];
const desk = new Deskwire({ baseUrl, token });

for (let count = 1; count <= 3; count += 1)
  await desk.post('/v1/tickets', { body: { from: 'typed@client.test', to: mailbox, body: 'No. ' + count, tags: ['sdk'] } });
const numbers: number[] = [];
for await (const ticket of desk.list('/v1/tickets', { query: { tag: 'sdk', per_page: 1 } })) numbers.push(ticket.number);
const { state } = await desk.put('/v1/tickets/{number}/state', { path: { number: numbers[0]! }, body: { state: 'closed' } });
const code = await desk.get('/v1/tickets/{number}', { path: { number: 999_999 } }).catch((error: unknown) =>
  error instanceof DeskwireError ? error.code : 'something else');
// @ts-expect-error There is no such state.
const wrong = await desk.get('/v1/tickets', { query: { state: ['shut'] } }).catch((error: DeskwireError) => error.status);
// @ts-expect-error There is no such parameter: the type says so, and so does the API.
const unknown = await desk.get('/v1/tickets', { query: { colour: 'red' } }).catch((error: DeskwireError) => error.problem.errors);
const wanted = { event: 'ticket_closed', url: 'https://receiver.example/typed', state: 'paused' } as const;
const ensured = await desk.webhooks.ensure('typed', wanted);
const secret: string | undefined = ensured.created ? ensured.webhook.secret : undefined;
// @ts-expect-error One key names one webhook.
const several = await desk.webhooks.ensure('typed', { ...wanted, events: ['ticket_opened'] }).catch((error: DeskwireError) => error.status);
const deleted: undefined = await desk.delete('/v1/tickets/{number}', { path: { number: numbers[0]! } });
const form = new FormData();
form.append('files', new Blob(['Invoice']), 'invoice.txt');
const { messages } = await desk.get('/v1/tickets/{number}/messages', { path: { number: numbers[1]! } });
const { attachments } = await desk.post('/v1/messages/{id}/attachments', { path: { id: messages[0]!.id }, body: form });
console.log(JSON.stringify({ secret: secret?.slice(0, 6), several, numbers, state, code, wrong, unknown, deleted, file: attachments[0]!.name }));
`;
