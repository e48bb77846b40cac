import { ImapMailsService, type LeasedImap, OlderMailsService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { ImapConnectionsService } from './imap-connections.service.js';
import { MailboxImport } from './mailbox-import.js';
import { MailboxSession } from './mailbox-session.js';

/** Makes the session of a mailbox that this worker has taken. */
@Injectable()
export class ImapSessionsService {
  constructor(
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    private readonly older: OlderMailsService,
  ) {}

  of(held: LeasedImap): MailboxSession {
    const older = new MailboxImport(this.connections, this.mails, this.older, held);
    return new MailboxSession(this.connections, this.mails, older, held);
  }
}
