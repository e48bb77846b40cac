import { Database, accountStatement, filter } from '#libs/database';
import { MAX_COUNTED_ROWS } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RailContent } from '../ui/page-context.js';
import { MAX_SHOWN_UNREAD } from '../ui/unread.js';
import type { Me } from '../sign-in/session.guard.js';
import { actingOf } from './form-submission.js';
import { RailListsReader } from './rail-lists.reader.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';

/** Pages of the inbox load it with the list, and pages that are shown in parts have it already. */
const WITH_OWN = /^\/(inbox|tickets\/(?!(new|bulk)$)|live)/;

/** What a page shows beside itself. */
export interface Beside {
  readonly rail: RailContent | undefined;
  readonly unread: number;
  readonly heldMails: number;
}

const MORE_THAN_SHOWN = MAX_SHOWN_UNREAD + 1;

/**
 * Unread tickets that are the agent’s to look at, found by the agent, and mails that wait for a person. Nothing is counted
 * beyond what is shown.
 */
const NUMBERS = accountStatement(
  'console_numbers',
  `select (select count(*)::int from (
     (select 1 from tickets where account_id = $1 and state = 'unread' and deleted_at is null and snoozed_until is null
        and assignee_id is null limit ${MORE_THAN_SHOWN})
     union all
     (select 1 from tickets where ${filter('account_id = $1')} and state = 'unread' and deleted_at is null and snoozed_until is null
        and assignee_id = $2 limit ${MORE_THAN_SHOWN})
   ) unread) as unread, (select count(*)::int from (
     select from arrivals where account_id = $1 and state = 'held' limit ${MAX_COUNTED_ROWS}
   ) held) as "heldMails"`,
);

type Numbers = Pick<Beside, 'unread' | 'heldMails'>;

/** Loads what the rail shows beside pages that are not the inbox, and what the title and the icon say on every page. */
@Injectable()
export class RailReader {
  constructor(
    private readonly choices: TicketChoicesReader,
    private readonly database: Database,
    private readonly lists: RailListsReader,
  ) {}

  /** One round trip, and beside it those of the rail where a page has none of its own. */
  async read(me: Me, path: string): Promise<Beside> {
    const [rail, numbers] = await Promise.all([WITH_OWN.test(path) ? undefined : this.rail(me), this.numbers(me)]);
    return { rail, ...numbers };
  }

  private async rail(me: Me): Promise<RailContent> {
    const [lists, { mailboxes, tags }] = await Promise.all([
      this.lists.read(actingOf(me)),
      this.choices.read(me.accountId),
    ]);
    return { ...lists, mailboxes, tags };
  }

  private async numbers({ accountId, agentId }: Me): Promise<Numbers> {
    return (await this.database.account(accountId).row<Numbers>(NUMBERS, [agentId]))!;
  }
}
