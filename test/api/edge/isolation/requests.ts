import type { JsonSchema } from '#libs/payloads';
import type { ApiResponse, ApiClient } from '#test/support/api-client.js';
import { newEmail } from '#test/support/desk-records.js';
import { mailText } from '#test/support/mails.js';
import { sendFile } from '#test/support/upload.js';
import {
  type Operation,
  type Parameter,
  requestPathOf,
  minimalValueOf,
  bodiesReferring,
} from '#test/support/openapi-operations.js';
import { IMAP, SHARED } from './twins.js';

/** A name of a record of another account, and a similar name of no record. */
export interface Word {
  readonly theirs: string;
  readonly nobodys: string;
}

export interface Asked {
  readonly operation: Operation;
  readonly path: string;
  readonly body: unknown;
}

export function send(client: ApiClient, { operation, path, body }: Asked): Promise<ApiResponse> {
  const { method, contentType } = operation;
  if (contentType === 'multipart/form-data') return sendFile(client, path, JSON.stringify(body));
  if (contentType === 'message/rfc822') return client.send(method, path, mailText(), { 'content-type': contentType });
  return client.send(method, path, body);
}

/** Returns the name of a record of the caller for each parameter of the path. */
export type OwnWords = (operation: Operation) => string[];

export function plainRequest(operation: Operation, own: OwnWords): Asked {
  const { body } = operation;
  return { operation, path: requestPathOf(operation, own(operation)), body: body && minimalValueOf(body, ordinary) };
}

/** Puts the word into each parameter and field that accepts it, one at a time. */
export function requestsSaying(word: string, operation: Operation, own: OwnWords): Asked[] {
  const plain = plainRequest(operation, own);
  const inPath = operation.inPath
    .map((parameter, place) => (takes(parameter, word) ? own(operation).with(place, word) : undefined))
    .flatMap((words) => (words ? [{ ...plain, path: requestPathOf(operation, words) }] : []));
  const inQuery = operation.inQuery
    .filter((parameter) => takes(parameter, word))
    .map(({ name }) => ({ ...plain, path: `${plain.path}?${name}=${encodeURIComponent(word)}` }));
  const inBody = operation.body
    ? bodiesReferring(operation.body, word, ordinary).map((body) => ({ ...plain, body }))
    : [];
  return [...inPath, ...inQuery, ...inBody];
}

/** Times, cursors and keys name no record of another account. */
function takes({ name, schema }: Parameter, word: string): boolean {
  if (schema.type === 'integer') return /^\d{1,9}$/.test(word);
  return !schema.enum && !schema.items && !schema.examples && !['cursor', 'key'].includes(name);
}

const ORDINARY: Readonly<Record<string, string>> = {
  url: 'https://example.com/hook',
  assignee: SHARED.owner,
  assigned_group: SHARED.group,
  mailbox: SHARED.mailbox,
  snoozed_until: '2099-01-01T00:00:00Z',
  host: IMAP.host,
  username: IMAP.username,
};

/** Returns a valid value for a required field: the name of a record of the caller, or a new one. */
function ordinary(name: string, { format }: JsonSchema): string {
  return ORDINARY[name] ?? (format === 'email' ? newEmail() : newEmail(name));
}
