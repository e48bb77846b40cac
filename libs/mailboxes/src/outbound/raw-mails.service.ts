import { Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DISCARD_OLD_HELD } from '../inbound/held-mail.statements.js';

const BATCH = 500;

/** What is in the desk is kept there. The row stays, so that the mail is known when it comes again and when it is answered. */
const GIVE_UP = systemStatement(
  'arrival_give_up_raw',
  'Upkeep removes the bytes of understood mails of every account',
  `with old as (
     update arrivals set has_raw = false where id = any(array(
       select id from arrivals where has_raw and state in ('understood', 'repeated') and understood_at < $1
       order by understood_at limit ${BATCH} for update skip locked))
     returning id, account_id
   )
   insert into stray_files (id, account_id, due_at) select id, account_id, $2 from old on conflict do nothing returning id`,
);

/** The bytes of mails that are understood, or that nobody wants. */
@Injectable()
export class RawMailsService {
  constructor(private readonly database: Database) {}

  /** For upkeep: a few that were understood before; called again while it finds some. Says how many. */
  async giveUp(before: Date, now: Date): Promise<number> {
    return (await this.database.system().rows(GIVE_UP, [before, now])).length;
  }

  /** The same of mails that are held since before. */
  async discardHeld(before: Date, now: Date): Promise<number> {
    return (await this.database.system().rows(DISCARD_OLD_HELD, [before, now, BATCH])).length;
  }
}
