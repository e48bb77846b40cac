import { ImapMailsService, type LeasedImap, OlderMailsService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { ImapConnections } from './imap-connections.js';
import { MailboxImport } from './mailbox-import.js';
import { MailboxSession } from './mailbox-session.js';

/** Makes the session of a mailbox that this worker has taken. */
@Injectable()
export class MailboxSessions {
  constructor(
    private readonly connections: ImapConnections,
    private readonly mails: ImapMailsService,
    private readonly older: OlderMailsService,
  ) {}

  of(held: LeasedImap): MailboxSession {
    const older = new MailboxImport(this.connections, this.mails, this.older, held);
    return new MailboxSession(this.connections, this.mails, older, held);
  }
}
