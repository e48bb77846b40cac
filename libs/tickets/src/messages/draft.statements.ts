import { type AccountConnection, type AccountTx, accountStatement, columns, filter, hydrate } from '#libs/database';
import { Attachment, Conflict, Draft, type DraftFile } from '#libs/entities';
import { USABLE_REPLY } from '../saved-replies/saved-reply.statements.js';
import { fileValues, refuseGivenUp } from '../attachments/attachment.statements.js';

const FILES = `(select jsonb_agg(jsonb_build_object('id', f.id, 'accountId', f.account_id, 'draftId', f.draft_id, 'name', f.name,
  'contentType', f.content_type, 'size', f.size) order by f.id) from draft_files f where f.draft_id = d.id) as files`;

const READ = accountStatement(
  'draft_read',
  `select ${columns(Draft, 'd')}, ${FILES} from drafts d join tickets t on t.id = d.ticket_id
   where d.account_id = $1 and d.agent_id = $2 and t.number = $3`,
);

/** A page saves as it closes, and the next page restores and saves the same text. The later of the two changes nothing. */
const IS_UNCHANGED = `(not $13 and (d.note, d.body, d.after_sending, d.cc_addresses, d.removed_cc, d.saved_reply_id)
  is not distinct from (excluded.note, excluded.body, excluded.after_sending, excluded.cc_addresses, excluded.removed_cc, excluded.saved_reply_id))`;

/** Random, so that a page which loaded an earlier draft of the ticket does not overwrite a later one. */
export const FIRST_REVISION = '1 + floor(random() * 900000000)::integer';

/**
 * Text for another customer (`$15`), written before a merge, becomes a note, so that it does not go to this one.
 *
 * Overwrites the revision that the page loaded (`$9`; 0 for none), a draft of the same page, or an identical one.
 * Never recreates a loaded draft that was sent or discarded elsewhere.
 */
const SAVE = accountStatement(
  'draft_save',
  `insert into drafts as d (account_id, id, agent_id, ticket_id, note, body, after_sending, writer, revision, updated_at, cc_addresses, removed_cc, saved_reply_id)
   select $1, $2, $3, t.id, $5 or t.customer_id is distinct from coalesce($15::uuid, t.customer_id), $6, $7, $8, ${FIRST_REVISION}, $10, $11, $12, (${USABLE_REPLY('$14', '$3')}) from (
     select id, customer_id from tickets where account_id = $1 and number = $4 and merged_into_id is null for key share
   ) t
   where exists (select from agents a where a.id = $3 and ${filter('a.account_id = $1')} and a.state = 'active')
     and ($9::integer = 0 or exists (select from drafts x where x.agent_id = $3 and x.ticket_id = t.id))
   on conflict (agent_id, ticket_id) do update
     set note = excluded.note, body = excluded.body, after_sending = excluded.after_sending,
       cc_addresses = excluded.cc_addresses, removed_cc = excluded.removed_cc, saved_reply_id = excluded.saved_reply_id, updated_at = excluded.updated_at,
       writer = case when ${IS_UNCHANGED} then d.writer else excluded.writer end,
       revision = d.revision + case when ${IS_UNCHANGED} then 0 else 1 end
     where d.revision = $9 or d.writer = nullif($8, '') or (d.note, d.body) = (excluded.note, excluded.body)
   returning id`,
);

const ADD_FILES = accountStatement(
  'draft_file_add',
  `with kept as (delete from stray_files where account_id = $1 and id = any($4) returning id), added as (
     insert into draft_files (account_id, id, draft_id, held_reply_id, name, content_type, size)
     select $1, id, $2, $3, name, content_type, size
     from unnest($4::uuid[], $5::text[], $6::text[], $7::int[]) as file(id, name, content_type, size) join kept using (id)
     returning 1
   ) select count(*)::int as added from added`,
);

export const REMOVE_DRAFT_FILE = accountStatement(
  'draft_file_remove',
  `delete from draft_files f using drafts d where f.id = $3 and f.account_id = $1 and d.id = f.draft_id and d.agent_id = $2`,
);

/** Takes the files that the page showed. A newer draft of another page stays. */
const TAKE = accountStatement(
  'draft_take',
  `with taken as (
     delete from draft_files f using drafts d
     where f.account_id = $1 and d.id = f.draft_id and d.agent_id = $2 and d.ticket_id = $3 and f.id = any($4) returning f.*
   ), gone as (
     delete from drafts where account_id = $1 and agent_id = $2 and ticket_id = $3 and (revision = $5 or writer = nullif($6, ''))
   )
   select id, name, content_type as "contentType", size from taken order by id`,
);

export const DISCARD_EMPTY_DRAFT = accountStatement(
  'draft_discard_empty',
  `delete from drafts d where d.id = $2 and d.account_id = $1 and d.body = ''
     and not exists (select from draft_files f where f.draft_id = d.id)`,
);

/** The page that writes, and the revision that it loaded. */
export interface DraftBase {
  readonly revision: number;
  readonly writer: string;
}

export interface WrittenDraft extends DraftBase {
  readonly note: boolean;
  readonly body: string;
  readonly cc: readonly string[];
  readonly removedCc: readonly string[];
  readonly afterSending: string;
  readonly savedReplyId?: string | null | undefined;
  /** The page writes to this customer. */
  readonly customerId?: string | null | undefined;
}

export async function readDraft(connection: AccountConnection, agentId: string, number: number): Promise<Draft | null> {
  const row = (await connection.row(READ, [agentId, number])) ?? {};
  const draft = hydrate(Draft, row, 'd');
  return draft && Object.assign(draft, { files: (row['files'] ?? []) as DraftFile[] });
}

interface SavedDraft extends WrittenDraft {
  readonly id: string;
  readonly agentId: string;
  readonly number: number;
  readonly changesFiles: boolean;
}

export async function saveDraft(tx: AccountTx, draft: SavedDraft, now: Date): Promise<string | undefined> {
  const { id, agentId, number, note, body, cc, removedCc, afterSending, writer, revision, changesFiles } = draft;
  const { savedReplyId = null, customerId = null } = draft;
  const page = [id, agentId, number, note, body, afterSending, writer, revision, now];
  const values = [...page, cc, removedCc, changesFiles, savedReplyId, customerId];
  return (await tx.row<{ id: string }>(SAVE, values))?.id;
}

/** Adds stray files to a draft or to a held reply. */
export async function addDraftFiles(
  tx: AccountTx,
  { draftId = null, heldReplyId = null }: Partial<Pick<DraftFile, 'draftId' | 'heldReplyId'>>,
  files: readonly Attachment[],
): Promise<void> {
  if (files.length === 0) return;
  const result = await tx.row<{ added: number }>(ADD_FILES, [draftId, heldReplyId, ...fileValues(files)]);
  refuseGivenUp(result?.added, files);
}

interface DraftOwner {
  readonly agentId: string;
  readonly ticketId: string;
}

export interface DraftOfMessage extends DraftBase {
  readonly files: readonly string[];
}

export type TakenFile = Pick<Attachment, 'id' | 'name' | 'contentType' | 'size'>;

export async function takeDraft(
  tx: AccountTx,
  { agentId, ticketId }: DraftOwner,
  { files, revision, writer }: DraftOfMessage,
): Promise<Attachment[]> {
  const taken = await tx.rows<TakenFile>(TAKE, [agentId, ticketId, files, revision, writer]);
  if (taken.length !== files.length)
    throw new Conflict(
      'draft_changed',
      'A file of your draft was sent or removed in another window. Load the page again.',
    );
  return attachmentsOf(tx, taken);
}

export const attachmentsOf = ({ accountId }: AccountTx, taken: readonly TakenFile[]): Attachment[] =>
  taken.map((file) => Object.assign(new Attachment(), file, { accountId }));
