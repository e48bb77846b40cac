import { Transactions } from '#libs/database';
import {
  Conflict,
  Forbidden,
  InvalidField,
  TWO_FACTOR_REQUIREMENTS,
  TWO_FACTOR_REQUIREMENT_WORDS,
  type TwoFactorRequirement,
} from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import type { TwoFactorResetter } from './two-factor.service.js';
import { FIND_HOLDERS, READ_REQUIREMENT, SET_REQUIREMENT } from './two-factor.statements.js';

type OwnerOfAccount = TwoFactorResetter & { readonly agentId: string };

@Injectable()
export class TwoFactorRequirementService {
  constructor(private readonly transactions: Transactions) {}

  async read(accountId: string): Promise<TwoFactorRequirement> {
    const account = this.transactions.account({ accountId });
    return (await account.row<{ requirement: TwoFactorRequirement }>(READ_REQUIREMENT))?.requirement ?? 'nobody';
  }

  async holders(accountId: string): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.account({ accountId }).rows<{ id: string }>(FIND_HOLDERS);
    return new Set(rows.map(({ id }) => id));
  }

  /** An owner must have set it up before requiring it. */
  set(by: OwnerOfAccount, wanted: string): Promise<TwoFactorRequirement> {
    if (by.role !== 'owner') throw new Forbidden('role_not_allowed', 'Only an owner may do this.');
    const requirement = TWO_FACTOR_REQUIREMENTS.find((known) => known === wanted);
    if (!requirement) throw new InvalidField('requirement', 'unknown_requirement', 'Choose one of the list.');
    return this.transactions.run(by, async (tx, now) => {
      const holders = await tx.rows<{ id: string }>(FIND_HOLDERS);
      if (requirement !== 'nobody' && !holders.some(({ id }) => id === by.agentId))
        throw new Conflict('set_it_up_first', 'Set up two-factor sign-in for yourself first, in your profile.');
      if (!(await tx.row(SET_REQUIREMENT, [requirement]))) return requirement;
      const subject = TWO_FACTOR_REQUIREMENT_WORDS[requirement];
      const activity = { kind: 'two_factor_requirement_changed', ticketId: null, subject, detail: { requirement } };
      await insertActivity(tx, by, activity, now);
      return requirement;
    });
  }
}
