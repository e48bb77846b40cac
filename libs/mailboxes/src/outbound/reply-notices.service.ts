import { Transactions } from '#libs/database';
import type { RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { setReplyNotices } from './outbound-mail.statements.js';

@Injectable()
export class ReplyNoticesService {
  constructor(private readonly transactions: Transactions) {}

  async set(context: RequestContext, isEnabled: boolean): Promise<void> {
    await setReplyNotices(this.transactions.account(context), context.agentId, isEnabled);
  }
}
