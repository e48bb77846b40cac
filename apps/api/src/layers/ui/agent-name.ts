import type { Agent } from '#libs/entities';
import type { Choice } from './parts/fields.js';

export type NamedAgent = Pick<Agent, 'email' | 'firstName' | 'lastName'>;

export const agentName = ({ firstName, lastName, email }: NamedAgent): string =>
  `${firstName} ${lastName}`.trim() || email;

export const agentChoices = (agents: readonly NamedAgent[]): Choice[] =>
  agents.map((agent) => ({ value: agent.email, label: agentName(agent) }));
