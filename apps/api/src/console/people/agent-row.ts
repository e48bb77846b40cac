import type { Agent } from '#libs/entities';

/** An agent as the page of agents lists them. */
export interface AgentRow {
  readonly agent: Agent;
  readonly openTickets: number;
  readonly hasTwoFactor: boolean;
}
