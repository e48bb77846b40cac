import type { Choice } from '../../pages/parts/form.js';

export interface NamedAgent {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

export const agentName = ({ firstName, lastName, email }: NamedAgent): string =>
  `${firstName} ${lastName}`.trim() || email;

export const agentChoices = (agents: readonly NamedAgent[]): Choice[] =>
  agents.map((agent) => ({ value: agent.email, label: agentName(agent) }));
