import { SingleUseLinksService } from '#libs/access';
import { Conflict } from '#libs/entities';
import { mailRoute } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';

@Injectable()
export class PasswordLinksService {
  readonly canMail: boolean;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly singleUseLinks: SingleUseLinksService,
    private readonly links: Links,
  ) {
    this.canMail = mailRoute(settings) === 'smtp';
  }

  /** Never throws, because the caller does not await it. */
  async mailTo(email: string): Promise<void> {
    await this.singleUseLinks
      .mailTo(email)
      .catch((error: unknown) => this.logger.error({ err: error }, 'password links could not be sent'));
  }

  /** For the inviter to pass on, if there is no mail server. So it never sets the password of an active agent. */
  async invitationLink(accountId: string, agentId: string): Promise<string | undefined> {
    if (this.canMail) return undefined;
    const link = await this.singleUseLinks.issue(accountId, agentId, 'invitation');
    if (!link) throw new Conflict('not_invited', 'The agent has already joined or was archived. Reload the page.');
    return `${this.links.base}${link.path}`;
  }
}
