import { Database, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { NamedAgent } from '../ui/agent-name.js';

/** The agents, groups, mailboxes and tags to choose from in this account. */
export interface TicketChoices {
  readonly agents: readonly NamedAgent[];
  readonly groups: readonly string[];
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
}

/** Tags come from recent tickets only: reading all tickets would take too long. */
const RECENT_TICKETS = 500;

const CHOICES = accountStatement(
  'console_choices',
  `select
     coalesce((select jsonb_agg(jsonb_build_object('email', email, 'firstName', first_name, 'lastName', last_name)
       order by first_name, last_name, email) from agents where account_id = $1 and state <> 'archived'), '[]') as agents,
     array(select name from groups where account_id = $1 order by name) as groups,
     array(select name from mailboxes where account_id = $1 order by created_at, id) as mailboxes,
     array(select tag from (
       select tags from tickets where account_id = $1 and deleted_at is null order by updated_at desc limit ${RECENT_TICKETS}
     ) recent, unnest(recent.tags) tag group by tag order by count(*) desc, tag limit 40) as tags`,
);

@Injectable()
export class TicketChoicesReader {
  constructor(private readonly database: Database) {}

  /** One round trip. */
  async read(accountId: string): Promise<TicketChoices> {
    return (await this.database.account(accountId).row<TicketChoices>(CHOICES))!;
  }
}
