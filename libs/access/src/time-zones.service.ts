import { Transactions, accountStatement, filter } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { type AccountManager, requireManager } from './account-manager.js';
import { UTC, isTimeZone } from './time-zone.js';

const READ = accountStatement(
  'time_zones_read',
  `select ac.time_zone as "ofAccount", a.time_zone as own
   from agents a join accounts ac on ac.id = a.account_id where a.id = $2 and ${filter('a.account_id = $1')}`,
);

const SET_OWN = accountStatement(
  'time_zone_set_own',
  `update agents set time_zone = $3 where id = $2 and ${filter('account_id = $1')}`,
);

const SET = accountStatement(
  'time_zone_set',
  'update accounts set time_zone = $2 where id = $1 and time_zone <> $2 returning 1',
);

export interface ChosenTimeZones {
  readonly ofAccount: string;
  /** Null for that of the account. */
  readonly own: string | null;
}

/** In which time zone an agent sees times: their own, or that of the account. From the next page on. */
@Injectable()
export class TimeZonesService {
  constructor(private readonly transactions: Transactions) {}

  async read({ accountId, agentId }: { accountId: string; agentId: string }): Promise<ChosenTimeZones> {
    const account = this.transactions.account({ accountId });
    return (await account.row<ChosenTimeZones>(READ, [agentId])) ?? { ofAccount: UTC, own: null };
  }

  /** Nothing chooses that of the account. */
  async setOwn({ accountId, agentId }: { accountId: string; agentId: string }, wanted: string): Promise<void> {
    const own = wanted === '' ? null : requireTimeZone(wanted);
    await this.transactions.account({ accountId }).rows(SET_OWN, [agentId, own]);
  }

  setForAccount(by: AccountManager, wanted: string): Promise<void> {
    requireManager(by);
    const timeZone = requireTimeZone(wanted);
    return this.transactions.run(by, async (tx, now) => {
      if (!(await tx.row(SET, [timeZone]))) return;
      const detail = { time_zone: timeZone };
      await insertActivity(tx, by, { kind: 'time_zone_changed', ticketId: null, subject: timeZone, detail }, now);
    });
  }
}

function requireTimeZone(wanted: string): string {
  if (!isTimeZone(wanted)) throw new InvalidField('time_zone', 'unknown_time_zone', 'Choose a time zone of the list.');
  return wanted;
}
