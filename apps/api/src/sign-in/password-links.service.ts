import { SingleUseLinksService } from '#libs/access';
import { mailRoute } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';

/** Has links to a new password mailed, where there is mail. */
@Injectable()
export class PasswordLinksService {
  readonly canMail: boolean;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly links: SingleUseLinksService,
  ) {
    this.canMail = mailRoute(settings) === 'smtp';
  }

  /** Never throws, because nobody waits for it. */
  async mailTo(email: string): Promise<void> {
    try {
      await this.links.mailTo(email);
    } catch (error) {
      this.logger.error({ err: error }, 'links not sent');
    }
  }
}
