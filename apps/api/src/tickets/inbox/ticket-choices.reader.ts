import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { NamedAgent } from '../../layers/ui/agent-name.js';
import type { FirstRun } from './first-run.js';
import { FIRST_RUN, TICKET_CHOICES } from './ticket-choices.statements.js';

export interface TicketChoices {
  readonly agents: readonly NamedAgent[];
  readonly groups: readonly string[];
  readonly mailboxes: readonly string[];
  readonly tags: readonly string[];
}

@Injectable()
export class TicketChoicesReader {
  constructor(private readonly database: Database) {}

  async read(accountId: string): Promise<TicketChoices> {
    return (await this.database.account(accountId).row<TicketChoices>(TICKET_CHOICES))!;
  }

  firstRun(accountId: string, agentId: string): Promise<FirstRun | undefined> {
    return this.database.account(accountId).row<FirstRun>(FIRST_RUN, [agentId]);
  }
}
