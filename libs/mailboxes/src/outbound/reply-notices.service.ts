import { Transactions, accountStatement, filter } from '#libs/database';
import type { RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';

const SET = accountStatement(
  'reply_notices_set',
  `update agents set mail_replies = $3 where id = $2 and ${filter('account_id = $1')}`,
);

/** Whether agents are mailed when a customer answers on a ticket of theirs. Each says so for themselves. */
@Injectable()
export class ReplyNoticesService {
  constructor(private readonly transactions: Transactions) {}

  async set(context: RequestContext, areWanted: boolean): Promise<void> {
    await this.transactions.account(context).rows(SET, [context.agentId, areWanted]);
  }
}
