import { Clock, Database } from '#libs/database';
import type { SenderVerdicts } from '#libs/entities';
import { FilesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type MailOutcome, recordOutcome } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import type { QuarantineReason } from './quarantine.service.js';
import { MailContentsService } from './mail-contents.service.js';
import type { IdentifiedMail } from './parse-mail.js';

@Injectable()
export class UndeliveredMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
    private readonly contents: MailContentsService,
  ) {}

  async quarantine(
    inbound: InboundMail,
    mail: IdentifiedMail,
    { reason, verdicts }: { readonly reason: QuarantineReason; readonly verdicts: SenderVerdicts | null },
  ): Promise<'held'> {
    const preview = await this.contents.preview(inbound, mail);
    await this.record(inbound, mail, { state: 'held', reason, verdicts, ...preview });
    return 'held';
  }

  /** The first mail has the bytes. Upkeep removes them if this fails. */
  async dropDuplicate(
    inbound: InboundMail,
    mail: IdentifiedMail,
    verdicts: SenderVerdicts | null,
  ): Promise<'repeated'> {
    await this.record(inbound, mail, { state: 'repeated', verdicts, isStoredTwice: true });
    await this.files.discard(inbound.accountId, [inbound.id]).catch(() => undefined);
    return 'repeated';
  }

  private record(
    inbound: InboundMail,
    { mailId, contentHash, from }: IdentifiedMail,
    outcome: Omit<MailOutcome, 'mailId' | 'contentHash' | 'sender'>,
  ): Promise<void> {
    const account = this.database.account(inbound.accountId);
    const identity = { mailId, contentHash, sender: from.address };
    return recordOutcome(account, inbound, { ...outcome, ...identity }, this.clock.now());
  }
}
