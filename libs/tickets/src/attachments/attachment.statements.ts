import { type AccountConnection, type AccountTx, accountStatement, arraysOf, isUuid } from '#libs/database';
import { Attachment, Conflict, InvalidField, MAX_ATTACHMENTS, type Message, existing } from '#libs/entities';
import type { Actor, EventsService } from '#libs/events';
import { loaderOf } from '#libs/lists';
import { fileVector } from '../search/lexemes.js';

/** Skips files that were discarded in the meantime. */
const ADD = accountStatement(
  'attachment_add',
  `with kept as (delete from stray_files where account_id = $1 and id = any($3) returning id),
   added as (
     insert into attachments (id, account_id, message_id, name, content_type, size, created_at)
     select id, $1, $2, name, content_type, size, $7
     from unnest($3::uuid[], $4::text[], $5::text[], $6::int[]) as file(id, name, content_type, size)
     join kept using (id) returning 1
   ), touched as (update messages set updated_at = $7 where id = $2 and account_id = $1),
   words as (
     insert into ticket_words (ticket_id, source_id, account_id, words)
     select s.ticket_id, file.id, $1, file.words
     from messages s, unnest($3::uuid[], $8::tsvector[]) as file(id, words) join kept using (id)
     where s.id = $2 and s.account_id = $1
   )
   select count(*)::int as count from added`,
);

const COUNT = accountStatement(
  'attachment_count',
  'select count(*)::int as count from attachments where account_id = $1 and message_id = $2',
);

interface FilesToAttach {
  readonly message: Pick<Message, 'id' | 'ticketId' | 'ticketNumber'>;
  readonly files: readonly Attachment[];
  readonly limit?: 'any number';
}

/** Adds stray files to a message, and records the activity. */
export async function attachFiles(
  tx: AccountTx,
  events: EventsService,
  actor: Actor,
  { message, files, limit }: FilesToAttach,
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  const { id, ticketId, ticketNumber } = message;
  for (const file of files) Object.assign(file, { messageId: id, createdAt: now });
  const words = files.map(({ name }) => fileVector(tx.accountId, name));
  const [added, inAll] = await Promise.all([
    tx.row<{ count: number }>(ADD, [id, ...fileValues(files), now, words]),
    tx.row<{ count: number }>(COUNT, [id]),
  ]);
  refuseGivenUp(added?.count, files);
  // ADD locked the message, so concurrent additions are counted after this transaction.
  if (limit !== 'any number') refuseTooManyFiles(inAll!.count);
  const activity = { ticketId, subject: `#${ticketNumber}`, detail: { message: id } };
  await events.recordActivity(tx, actor, 'files_attached', activity);
}

/** Ids, names, types and sizes, each as an array. */
export const fileValues = (files: readonly Attachment[]): unknown[] =>
  arraysOf(files, 'id', 'name', 'contentType', 'size');

export function refuseGivenUp(added: number | undefined, files: readonly unknown[]): void {
  if (added !== files.length)
    throw new Conflict('upload_given_up', 'The upload took too long and was discarded. Send the files again.');
}

export function refuseTooManyFiles(count: number): void {
  if (count > MAX_ATTACHMENTS)
    throw new InvalidField('files', 'too_many_files', `a message has at most ${MAX_ATTACHMENTS} files`);
}

export async function readAttachment(connection: AccountConnection, id: string): Promise<Attachment> {
  return existing(isUuid(id) && (await connection.repository(Attachment).findOne({ id })), 'attachment');
}

export const loadAttachments = loaderOf(Attachment, 'attachment_load', 'attachments');
