import { Transactions, accountStatement } from '#libs/database';
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

const READ = accountStatement(
  'two_factor_requirement_read',
  'select two_factor_required_for as requirement from accounts where id = $1',
);

const SET = accountStatement(
  'two_factor_requirement_set',
  `update accounts set two_factor_required_for = $2 where id = $1 and two_factor_required_for <> $2 returning 1`,
);

const HOLDERS = accountStatement(
  'two_factor_holders',
  'select agent_id as id from authenticators where account_id = $1 and confirmed_at is not null',
);

type OwnerOfAccount = TwoFactorResetter & { readonly agentId: string };

/** Who in an account must have two-factor sign-in, and who has it. */
@Injectable()
export class TwoFactorRequirementService {
  constructor(private readonly transactions: Transactions) {}

  async read(accountId: string): Promise<TwoFactorRequirement> {
    const account = this.transactions.account({ accountId });
    return (await account.row<{ requirement: TwoFactorRequirement }>(READ))?.requirement ?? 'nobody';
  }

  /** The agents who have it. */
  async holders(accountId: string): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.account({ accountId }).rows<{ id: string }>(HOLDERS);
    return new Set(rows.map(({ id }) => id));
  }

  /** From the next request on. Who asks for it must have it, so that nobody asks of others what they cannot do. */
  set(by: OwnerOfAccount, wanted: string): Promise<TwoFactorRequirement> {
    if (by.role !== 'owner') throw new Forbidden('role_not_allowed', 'Only an owner may do this.');
    const requirement = TWO_FACTOR_REQUIREMENTS.find((known) => known === wanted);
    if (!requirement) throw new InvalidField('requirement', 'unknown_requirement', 'Choose one of the list.');
    return this.transactions.run(by, async (tx, now) => {
      const holders = await tx.rows<{ id: string }>(HOLDERS);
      if (requirement !== 'nobody' && !holders.some(({ id }) => id === by.agentId))
        throw new Conflict('set_it_up_first', 'Set up two-factor sign-in for yourself first, in your profile.');
      if (!(await tx.row(SET, [requirement]))) return requirement;
      const subject = TWO_FACTOR_REQUIREMENT_WORDS[requirement];
      const activity = { kind: 'two_factor_requirement_changed', ticketId: null, subject, detail: { requirement } };
      await insertActivity(tx, by, activity, now);
      return requirement;
    });
  }
}
