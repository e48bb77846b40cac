import { Database, accountStatement, filter } from '#libs/database';
import { Injectable } from '@nestjs/common';

const SET = accountStatement(
  'list_density_set',
  `update agents set compact_list = $3 where id = $2 and ${filter('account_id = $1')}`,
);

/** How much room a row of the ticket list takes for an agent, on every device. From the next page on. */
@Injectable()
export class ListDensityService {
  constructor(private readonly database: Database) {}

  async set({ accountId, agentId }: { accountId: string; agentId: string }, isCompact: boolean): Promise<void> {
    await this.database.account(accountId).rows(SET, [agentId, isCompact]);
  }
}
