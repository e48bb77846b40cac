import { ImapImportProgressService, ImapMailsService, type LeasedImap } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { ImapConnectionsService } from './imap-connections.service.js';
import { MailboxImport } from './mailbox-import.js';
import { MailboxSession } from './mailbox-session.js';

/** Creates the sessions of mailboxes. */
@Injectable()
export class ImapSessionsService {
  constructor(
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    private readonly imports: ImapImportProgressService,
  ) {}

  create(held: LeasedImap): MailboxSession {
    const imports = new MailboxImport(this.connections, this.mails, this.imports, held);
    return new MailboxSession(this.connections, this.mails, imports, held);
  }
}
