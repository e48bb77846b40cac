import { type Clock, type Database, isUuid } from '#libs/database';
import { NotFound, existing } from '#libs/entities';
import { type ShownMail, findInboundMail, findOutgoingMail, retryMails } from './operator-mails.statements.js';

/** Emails of all accounts, without their content. The CLI builds it without Nest, so it is not injectable. */
export class OperatorMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** `id` may be that of the message of an outgoing email. */
  async show(id: string): Promise<ShownMail> {
    if (!isUuid(id)) throw new NotFound('mail');
    const system = this.database.system();
    return existing((await findOutgoingMail(system, id)) ?? (await findInboundMail(system, id)), 'mail');
  }

  /** With neither, retries all. */
  async retry({ mailboxId = null, id = null }: { mailboxId?: string | null; id?: string | null }): Promise<number> {
    if (id !== null && !isUuid(id)) throw new NotFound('mail');
    return retryMails(this.database.system(), { mailboxId, id }, this.clock.now());
  }
}
