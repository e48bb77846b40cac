import { type Clock, type Database, isUuid } from '#libs/database';
import { NotFound, existing } from '#libs/entities';
import { RETRY_MAILS, SHOW_INBOUND_MAIL, SHOW_OUTGOING_MAIL } from './operator-mails.statements.js';

type ShownMail = Readonly<Record<string, string | number | Date | null>>;

/** Mails of all accounts, without their content. */
export class OperatorMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** `id` may be that of the message of an outgoing mail. */
  async show(id: string): Promise<ShownMail> {
    if (!isUuid(id)) throw new NotFound('mail');
    const system = this.database.system();
    const outgoing = await system.row<ShownMail>(SHOW_OUTGOING_MAIL, [id]);
    return existing(outgoing ?? (await system.row<ShownMail>(SHOW_INBOUND_MAIL, [id])), 'mail');
  }

  async retry({ mailboxId = null, id = null }: { mailboxId?: string | null; id?: string | null }): Promise<number> {
    if (id !== null && !isUuid(id)) throw new NotFound('mail');
    return (await this.database.system().rows(RETRY_MAILS, [mailboxId, id, this.clock.now()])).length;
  }
}
