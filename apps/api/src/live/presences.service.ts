import { Bell, Clock, Database, accountStatement, later } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { PresentAgent } from './presence-bar.js';

/** A presence is renewed while the page is open, and ends after this time. */
const VIEWING_MS = 25_000;
const REPLYING_MS = 12_000;

/** One round trip. It also deletes expired presences. */
const ENTER = accountStatement(
  'presence_enter',
  `with gone as (
     delete from presences where account_id = $1 and viewing_until < $5 and (ticket_number, agent_id) <> ($2, $3)
   )
   insert into presences (account_id, ticket_number, agent_id, viewing_until) values ($1, $2, $3, $4)
   on conflict (account_id, ticket_number, agent_id) do update set viewing_until = excluded.viewing_until`,
);

const REPLY = accountStatement(
  'presence_reply',
  'update presences set replying_until = $4 where account_id = $1 and ticket_number = $2 and agent_id = $3',
);

const LEAVE = accountStatement(
  'presence_leave',
  'delete from presences where account_id = $1 and ticket_number = $2 and agent_id = $3',
);

const LIST = accountStatement(
  'presence_list',
  `select p.agent_id as "agentId", trim(a.first_name || ' ' || a.last_name) as name,
     case when p.replying_until > $3 then 'replying' else 'viewing' end as doing
   from presences p join agents a on a.id = p.agent_id
   where p.account_id = $1 and p.ticket_number = $2 and p.viewing_until > $3 order by p.agent_id`,
);

export interface TicketViewer {
  readonly accountId: string;
  readonly agentId: string;
  readonly ticket: number;
}

/** Who has a ticket open and who is replying, stored in the database for all processes. */
@Injectable()
export class PresencesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly bell: Bell,
  ) {}

  async enter({ accountId, agentId, ticket }: TicketViewer): Promise<void> {
    const now = this.clock.now();
    await this.database.account(accountId).rows(ENTER, [ticket, agentId, later(now, VIEWING_MS), now]);
  }

  startReplying(viewer: TicketViewer): Promise<void> {
    return this.reply(viewer, this.clock.in(REPLYING_MS));
  }

  stopReplying(viewer: TicketViewer): Promise<void> {
    return this.reply(viewer, null);
  }

  async leave({ accountId, agentId, ticket }: TicketViewer): Promise<void> {
    await this.database.account(accountId).rows(LEAVE, [ticket, agentId]);
    this.bell.ring(accountId);
  }

  list(accountId: string, ticket: number): Promise<PresentAgent[]> {
    return this.database.account(accountId).rows<PresentAgent>(LIST, [ticket, this.clock.now()]);
  }

  /** Everybody except the viewer. */
  async others({ accountId, agentId, ticket }: TicketViewer): Promise<PresentAgent[]> {
    return (await this.list(accountId, ticket)).filter((present) => present.agentId !== agentId);
  }

  private async reply({ accountId, agentId, ticket }: TicketViewer, until: Date | null): Promise<void> {
    await this.database.account(accountId).rows(REPLY, [ticket, agentId, until]);
    this.bell.ring(accountId);
  }
}
