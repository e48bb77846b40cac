import type { Agent } from '#libs/entities';

/** A row of the agents page. */
export interface AgentRow {
  readonly agent: Agent;
  readonly openTickets: number;
  readonly hasTwoFactor: boolean;
}
