import { type Acting, AgentsService, type NewAgent } from '#libs/desk';
import { type Agent, Conflict, Forbidden, manages } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { LinkMail } from './link-mail.js';

/** Whoever is invited gets a mail, whichever door the invitation came through; nobody waits for it to be sent. */
@Injectable()
export class Invitations {
  constructor(
    private readonly agents: AgentsService,
    private readonly mail: LinkMail,
  ) {}

  async invite(acting: Acting, wanted: NewAgent): Promise<Agent> {
    const agent = await this.agents.invite(acting, wanted);
    void this.mail.invite(acting.accountId, agent.id);
    return agent;
  }

  async again(acting: Acting, who: string): Promise<Agent> {
    if (!manages(acting.role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may do this.');
    const agent = await this.agents.read(acting, who);
    if (agent.state !== 'invited') throw new Conflict('not_invited', 'The invitation was accepted already.');
    void this.mail.invite(acting.accountId, agent.id);
    return agent;
  }
}
