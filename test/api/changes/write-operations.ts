import type { ApiResponse } from '#test/support/api-client.js';
import type { AccountDesk } from '#test/support/account-desk.js';
import { NEW_RECORDS, type RecordKind } from '#test/support/new-records.js';
import { sendFile } from '#test/support/upload.js';

/**
 * The body of a call for each operation that changes a record, by method and path of the OpenAPI document. `<kind>`
 * stands for a new record of this kind.
 */
export const WRITES: Readonly<Record<string, object>> = {
  'POST /v1/tickets': { body: 'Hi', from: '<name>@client.test', to: 'support@acme.test' },
  'POST /v1/tickets/batch': { numbers: ['<ticket>', '<ticket>'], state: 'closed' },
  'PATCH /v1/tickets/{number}': { title: 'New' },
  'DELETE /v1/tickets/{number}': {},
  'POST /v1/tickets/{number}/restore': {},
  'POST /v1/tickets/{number}/merge': { into: '<ticket>' },
  'PUT /v1/tickets/{number}/state': { state: 'spam' },
  'PUT /v1/tickets/{number}/assignee': { assignee: '<agent>' },
  'PUT /v1/tickets/{number}/assigned_group': { group: '<group>' },
  'PUT /v1/tickets/{number}/priority': { priority: 'high' },
  'PUT /v1/tickets/{number}/tags': { tags: ['a'] },
  'POST /v1/tickets/{number}/tags': { tags: ['b'] },
  'DELETE /v1/tickets/{number}/tags/{tag}': {},
  'PUT /v1/tickets/{number}/mailbox': { mailbox: '<mailbox>' },
  'POST /v1/tickets/{number}/change_mailbox/{mailbox_id}': {},
  'PUT /v1/tickets/{number}/title': { title: 'New' },
  'PUT /v1/tickets/{number}/snoozed_until': { snoozed_until: '2099-01-01T00:00:00Z' },
  'POST /v1/tickets/{number}/messages': { body: 'Answer' },
  'POST /v1/messages/{id}/attachments': {},
  'POST /v1/customers': { email: '<name>@client.test' },
  'PUT /v1/customers/{email}': { about: 'VIP' },
  'PATCH /v1/customers/{email}': { name: 'A B' },
  'DELETE /v1/customers/{email}': {},
  'POST /v1/agents': { email: '<name>@client.test', first_name: 'A', last_name: 'B' },
  'PUT /v1/agents/{email}': { first_name: 'New' },
  'POST /v1/agents/{email}/archive': {},
  'POST /v1/agents/{email}/restore': {},
  'POST /v1/groups': { name: '<name>' },
  'PUT /v1/groups/{id}': { members: ['<agent>'] },
  'DELETE /v1/groups/{id}': {},
  'POST /v1/mailboxes': { name: '<name>', email: '<name>@client.test' },
  'PUT /v1/mailboxes/{id}': { name: '<name>' },
  'DELETE /v1/mailboxes/{id}': {},
};

/**
 * Operations that change no copied record at once. A submitted mail changes records when it is processed, and an email
 * that is sent again was sent before; test/mail covers both.
 */
export const OTHER_WRITES =
  /^\w+ \/v1\/(saved_replies|webhooks|deliveries|replays|arrivals|mailboxes\/\{id\}\/(raw$|smtp$|imap)|messages\/\{id\}\/send_again$)/;

/** Calls an operation for new records. */
export async function write(desk: AccountDesk, name: string): Promise<ApiResponse> {
  const [method, path] = name.split(' ') as [string, string];
  const wanted = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => wordFor(parameter, path));
  const address = await withRecords(desk, wanted);
  const body = await withRecords(desk, JSON.stringify(WRITES[name]));
  if (path.endsWith('/attachments')) return sendFile(desk.client(), address, 'text');
  return desk.client().send(method, address, method === 'DELETE' ? undefined : body);
}

function wordFor(parameter: string, path: string): string {
  const [kind] = /ticket|customer|agent|group|mailbox|message/.exec(path)!;
  if (path.endsWith('/restore')) return kind === 'ticket' ? '<deleted ticket>' : '<archived agent>';
  if (parameter === 'tag') return 'old';
  return parameter === 'mailbox_id' ? '<mailbox>' : `<${kind}>`;
}

/** Replaces each kind by a new record of it. In a body, the number of a ticket is no string. */
async function withRecords(desk: AccountDesk, text: string): Promise<string> {
  const [placeholder] = /"<ticket>"|<[\w ]+>/.exec(text) ?? [];
  if (placeholder === undefined) return text;
  const kind = placeholder.replaceAll(/["<>]/g, '') as RecordKind;
  return withRecords(desk, text.replace(placeholder, await NEW_RECORDS[kind](desk)));
}
