import { type Agent, InvalidField, NotFound } from '#libs/entities';
import { AgentsService, type RequestContext, TicketsService, TriageService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { MAX_TICKETS_AT_ONCE } from '../tickets/index.js';

export const KEEP_ASSIGNEE = 'keep';

const OPEN_STATES = ['unread', 'opened', 'pending'] as const;
const BATCH = { sort: '-updated_at', page: 1, perPage: 50, cursor: undefined, uncounted: true } as const;

/** Records the same events as assignments of single tickets. */
@Injectable()
export class TicketHandoverService {
  constructor(
    private readonly agents: AgentsService,
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
  ) {}

  /** Null leaves the tickets unassigned. */
  async receiver(context: RequestContext, from: string, wanted: string | null): Promise<Agent | null> {
    if (wanted === null) return null;
    const receiver = await this.agents.read(context, wanted);
    if (receiver.state === 'archived' || receiver.id === from)
      throw new InvalidField('assignee', 'agent_archived', 'Choose an agent who is not archived.');
    return receiver;
  }

  /** The agent keeps tickets beyond the limit of one request. */
  async give(context: RequestContext, from: string, to: Agent | null): Promise<number> {
    let given = 0;
    for (let tried = 0; tried < MAX_TICKETS_AT_ONCE;) {
      // A fresh read per batch: a ticket that a colleague has just taken stays with them.
      const { items } = await this.tickets.list(context, { ...BATCH, assignee: from, states: OPEN_STATES });
      if (items.length === 0) break;
      for (const { number } of items) {
        try {
          await this.triage.change(context, number, { assignee: to?.id ?? null });
          given += 1;
        } catch (error) {
          // The ticket was deleted after it was listed.
          if (!(error instanceof NotFound)) throw error;
        }
      }
      tried += items.length;
    }
    return given;
  }
}
