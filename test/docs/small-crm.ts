import { type IncomingMessage, createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { baseUrlOf } from '#test/support/api-client.js';
import { onTestFinished } from 'vitest';

type Contact = Readonly<Record<string, unknown>>;

/** A CRM with contacts by email, which lists those that changed since a position. */
export async function smallCrm() {
  const contacts = new Map<string, Contact>();
  const changes: string[] = [];
  const writes: Contact[] = [];
  const change = (email: string, fields: Contact): void => {
    contacts.set(email, { ...contacts.get(email), ...fields, email });
    changes.push(email);
  };
  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://crm');
    const email = decodeURIComponent(pathname.split('/')[2] ?? '');
    if (request.method === 'PUT') {
      const fields = (await json(request)) as Contact;
      writes.push({ email, ...fields });
      change(email, fields);
    }
    if (email !== '') return [contacts.has(email) ? 200 : 404, contacts.get(email) ?? {}];
    const changed = new Set(changes.slice(Number(searchParams.get('changed_since'))));
    return [200, { contacts: [...changed].map((one) => contacts.get(one)), now: changes.length }];
  };
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: baseUrlOf(server), contacts, writes, change };
}
