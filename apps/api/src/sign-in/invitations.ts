import { AgentsService, type NewAgent, type RequestContext, requireManager } from '#libs/desk';
import { type Agent, Conflict } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { LinkMailer } from './link-mailer.js';

/** What became of an invitation: it is being mailed, or there is no mail server and this link has to be handed over. */
export interface HandedInvitation {
  readonly agent: Agent;
  readonly link?: string | undefined;
}

/** Invites agents by mail, from the API and from the console. Nobody waits until the mail is sent. */
@Injectable()
export class Invitations {
  constructor(
    private readonly agents: AgentsService,
    private readonly mail: LinkMailer,
  ) {}

  /** Whether invitations are mailed at all. */
  get canMail(): boolean {
    return this.mail.canSend;
  }

  async invite(context: RequestContext, wanted: NewAgent): Promise<Agent> {
    const agent = await this.agents.invite(context, wanted);
    void this.mail.sendInvitation(context.accountId, agent.id);
    return agent;
  }

  async resend(context: RequestContext, who: string): Promise<Agent> {
    const agent = await this.invited(context, who);
    void this.mail.sendInvitation(context.accountId, agent.id);
    return agent;
  }

  /** For a page, which shows the link where it cannot be mailed. */
  async inviteOnPage(context: RequestContext, wanted: NewAgent): Promise<HandedInvitation> {
    return this.handOver(context, await this.agents.invite(context, wanted));
  }

  async resendOnPage(context: RequestContext, who: string): Promise<HandedInvitation> {
    return this.handOver(context, await this.invited(context, who));
  }

  private async handOver({ accountId }: RequestContext, agent: Agent): Promise<HandedInvitation> {
    if (!this.mail.canSend) return { agent, link: await this.mail.invitationLink(accountId, agent.id) };
    void this.mail.sendInvitation(accountId, agent.id);
    return { agent };
  }

  private async invited(context: RequestContext, who: string): Promise<Agent> {
    requireManager(context);
    const agent = await this.agents.read(context, who);
    if (agent.state !== 'invited') throw new Conflict('not_invited', 'The invitation was accepted already.');
    return agent;
  }
}
