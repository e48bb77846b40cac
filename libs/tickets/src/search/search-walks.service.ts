import { Clock, Database, type SystemTx, later, systemStatement, uuidAt } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { WORDS_VERSION, fileVector, wordVector } from './word-vector.js';
import { customerVector, ticketVector } from './word-index.js';
import { MAX_CHARACTERS } from './words.js';

/** Texts of the largest messages are then 5 MB. */
const BATCH = 100;

/** Processes of an older version may write old words during an update, so the walk continues this long. */
const OLD_VERSIONS_LEAVE_MS = 60 * 60 * 1000;
/** A row can be committed after a row with a later id. */
const LATE_COMMIT_MS = 60 * 1000;

const REASON = 'What was written before is made searchable in every account';

const TAKE = systemStatement(
  'search_walk_take',
  REASON,
  `select name, after, started_at as "startedAt",
     not exists (select from accounts where created_at < w.started_at) as "isNewInstallation"
   from search_walks w where finished_at is null for update skip locked`,
);

const GO_ON = systemStatement(
  'search_walk_go_on',
  REASON,
  `update search_walks set after = $2, found = found + $3, finished_at = $4 where name = $1`,
);

const SAVE_WORDS = systemStatement(
  'search_walk_save_words',
  REASON,
  `insert into ticket_words as w (ticket_id, source_id, account_id, words, version)
   select *, ${WORDS_VERSION} from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::tsvector[])
   on conflict (ticket_id, source_id) do update set words = excluded.words, version = excluded.version
   where w.version < ${WORDS_VERSION}`,
);

const SAVE_CUSTOMERS = systemStatement(
  'search_walk_save_customers',
  REASON,
  `insert into customer_words (customer_id, account_id, words) select * from unnest($1::uuid[], $2::uuid[], $3::tsvector[])
   on conflict do nothing`,
);

/** Goes from row to row, because PostgreSQL might sort a whole table that it believes to be small. */
const walkOver = (table: string, columns: string, also = '') =>
  systemStatement(
    `search_walk_${table}`,
    REASON,
    `with recursive walk as (
       (select id, 1 as place from ${table} where id > $1 order by id limit 1)
       union all
       select following.id, place + 1 from walk cross join lateral (
         select id from ${table} where id > walk.id order by id limit 1) following
       where place < ${BATCH}
     )
     select x.id, x.account_id as "accountId", ${columns} from walk
     cross join lateral (select * from ${table} where id = walk.id limit 1) x ${also}
     where walk.id < $2 order by walk.id`,
  );

interface WalkedRow {
  readonly id: string;
  readonly accountId: string;
  readonly ticketId: string;
  readonly text: string;
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly companyName: string | null;
}

type WalkName = keyof typeof WALKS;

const WALKS = {
  attachments: {
    read: walkOver(
      'attachments',
      's.ticket_id as "ticketId", x.name as text',
      'cross join lateral (select ticket_id from messages where id = x.message_id limit 1) s',
    ),
    cut: ({ accountId, text }: WalkedRow) => fileVector(accountId, text),
  },
  customers: {
    read: walkOver(
      'customers',
      'x.first_name as "firstName", x.last_name as "lastName", x.email, x.company_name as "companyName"',
    ),
    cut: (row: WalkedRow) => customerVector(row.accountId, row),
  },
  messages: {
    read: walkOver('messages', `x.ticket_id as "ticketId", left(x.plain_text_body, ${MAX_CHARACTERS}) as text`),
    cut: ({ accountId, text }: WalkedRow) => wordVector(accountId, text),
  },
  tickets: {
    read: walkOver('tickets', 'x.id as "ticketId", x.title, x.tags'),
    cut: (row: WalkedRow) => ticketVector(row.accountId, row),
  },
} as const;

interface Walk {
  readonly name: WalkName;
  readonly after: string;
  readonly startedAt: Date;
  /** No account is older than the walk, so no older version wrote anything. */
  readonly isNewInstallation: boolean;
}

/**
 * Indexes rows written before the search index existed. Each transaction walks a batch by id and saves its position.
 * Newer rows are indexed when they are written.
 */
@Injectable()
export class SearchWalksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Indexes one batch of each table. Returns how many rows. */
  walk(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      let found = 0;
      for (const walk of await tx.rows<Walk>(TAKE)) found += await goOn(tx, walk, this.clock.now());
      return found;
    });
  }
}

async function goOn(tx: SystemTx, walk: Walk, now: Date): Promise<number> {
  const { name, after, startedAt, isNewInstallation } = walk;
  const { read, cut } = WALKS[name];
  const rows = await tx.rows<WalkedRow>(read, [after, uuidAt(later(now, -LATE_COMMIT_MS))]);
  if (rows.length > 0) await save(tx, name, rows, rows.map(cut));
  const isOver = rows.length === 0 && (isNewInstallation || now > later(startedAt, OLD_VERSIONS_LEAVE_MS));
  await tx.rows(GO_ON, [name, rows.at(-1)?.id ?? after, rows.length, isOver ? now : null]);
  return rows.length;
}

async function save(tx: SystemTx, name: WalkName, rows: readonly WalkedRow[], words: readonly string[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const accounts = rows.map(({ accountId }) => accountId);
  if (name === 'customers') await tx.rows(SAVE_CUSTOMERS, [ids, accounts, words]);
  else await tx.rows(SAVE_WORDS, [rows.map(({ ticketId }) => ticketId), ids, accounts, words]);
}
