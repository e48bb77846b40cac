import { type IssuedLink, SingleUseLinksService } from '#libs/access';
import { type Mail, Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';

/** Mails invitations and links to set a new password. */
@Injectable()
export class LinkMailer {
  constructor(
    private readonly mailer: Mailer,
    private readonly singleUseLinks: SingleUseLinksService,
    private readonly links: Links,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get canSend(): boolean {
    return this.mailer.canSend;
  }

  /** Call it after the commit, never inside the transaction. */
  async sendInvitation(accountId: string, agentId: string): Promise<void> {
    await this.sendToAll(async () => [await this.singleUseLinks.issue(accountId, agentId)]);
  }

  /** The address in an invitation, for somebody to hand over where nothing can be mailed. */
  async invitationLink(accountId: string, agentId: string): Promise<string | undefined> {
    const link = await this.singleUseLinks.issue(accountId, agentId);
    return link && `${this.links.base}${link.path}`;
  }

  /** Never throws, because nobody waits for it. */
  async sendToAll(make: () => Promise<(IssuedLink | undefined)[]>): Promise<void> {
    try {
      for (const link of await make()) if (link) await this.mailer.send(this.mailFor(link));
    } catch (error) {
      this.logger.error({ err: error }, 'links not sent');
    }
  }

  private mailFor({ purpose, account, email, path }: IssuedLink): Mail {
    const address = `${this.links.base}${path}`;
    return purpose === 'invitation'
      ? {
          to: email,
          subject: `You are invited to ${account} on Deskwire`,
          text: `You were invited to answer tickets of ${account}.\n\nSet a password and join within a week:\n${address}\n`,
        }
      : {
          to: email,
          subject: `A new password for ${account} on Deskwire`,
          text: `Somebody, probably you, asked for a new password for ${email} at ${account}.\n\nSet it within an hour:\n${address}\n\nIf it was not you, do nothing: the old password stays.\n`,
        };
  }
}
