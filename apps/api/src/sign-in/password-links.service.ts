import { SingleUseLinksService } from '#libs/access';
import { type Agent, Conflict } from '#libs/entities';
import { mailRoute } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { AgentsService, type NewAgent, type RequestContext } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';

/** `link` is only set without a mail server. The inviter passes it on. */
export interface HandedInvitation {
  readonly agent: Agent;
  readonly link?: string | undefined;
}

@Injectable()
export class PasswordLinksService {
  readonly canMail: boolean;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly agents: AgentsService,
    private readonly singleUseLinks: SingleUseLinksService,
    private readonly links: Links,
  ) {
    this.canMail = mailRoute(settings) === 'smtp';
  }

  /** Never throws, because the caller does not await it. */
  async mailTo(email: string): Promise<void> {
    await this.singleUseLinks
      .mailTo(email)
      .catch((error: unknown) => this.logger.error({ err: error }, 'links not sent'));
  }

  async invite(context: RequestContext, wanted: NewAgent): Promise<HandedInvitation> {
    return this.handOver(await this.agents.invite(context, wanted), context);
  }

  async inviteAgain(context: RequestContext, who: string): Promise<HandedInvitation> {
    return this.handOver(await this.agents.inviteAgain(context, who), context);
  }

  private async handOver(agent: Agent, { accountId }: RequestContext): Promise<HandedInvitation> {
    if (this.canMail) return { agent };
    // The inviter sees this link, so it must not be one that sets the password of an active agent.
    const link = await this.singleUseLinks.issue(accountId, agent.id, 'invitation');
    if (!link) throw new Conflict('not_invited', 'The agent has joined or was archived. Load the page again.');
    return { agent, link: `${this.links.base}${link.path}` };
  }
}
