import { AgentsService, type NewAgent, type RequestContext, requireManager } from '#libs/desk';
import { type Agent, Conflict } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { LinkMailer } from './link-mailer.js';

/** Invites agents by mail, from the API and from the console. Nobody waits until the mail is sent. */
@Injectable()
export class Invitations {
  constructor(
    private readonly agents: AgentsService,
    private readonly mail: LinkMailer,
  ) {}

  async invite(context: RequestContext, wanted: NewAgent): Promise<Agent> {
    const agent = await this.agents.invite(context, wanted);
    void this.mail.sendInvitation(context.accountId, agent.id);
    return agent;
  }

  async resend(context: RequestContext, who: string): Promise<Agent> {
    requireManager(context);
    const agent = await this.agents.read(context, who);
    if (agent.state !== 'invited') throw new Conflict('not_invited', 'The invitation was accepted already.');
    void this.mail.sendInvitation(context.accountId, agent.id);
    return agent;
  }
}
