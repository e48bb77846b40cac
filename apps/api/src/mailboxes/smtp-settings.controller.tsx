import { MailboxSmtpService } from '#libs/mailboxes';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { SmtpDto } from './smtp.dto.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxPage } from './mailbox.page.js';
import { MailboxReader } from './mailbox.reader.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

@Controller('settings/mailboxes/:id/smtp')
@ConsolePages({ audience: 'managers' })
export class SmtpSettingsController {
  constructor(
    private readonly servers: MailboxSmtpService,
    private readonly reader: MailboxReader,
  ) {}

  @Post()
  set(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('host', 'port', 'security', 'username');
    return submitForm({ again: () => this.page(me, id), typed }, async () => {
      const dto = await validateDto(SmtpDto, filled(body));
      const { host } = await this.servers.set(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(id), `Mails of this mailbox go out through ${host}.`);
    });
  }

  @Post('delete')
  remove(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id) }, async () => {
      await this.servers.remove(actingOf(me), id);
      return redirectWithNotice(
        mailboxPath(id),
        'Mails of this mailbox go out through the server of this installation.',
      );
    });
  }

  private async page(me: Me, id: string): Promise<PageContent> {
    return { view: <MailboxPage {...await this.reader.read(me, id)} refused="smtp" /> };
  }
}

/** An empty field of a form says nothing. */
const filled = (body: object): object => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
