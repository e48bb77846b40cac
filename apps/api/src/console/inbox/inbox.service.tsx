import { MessagesService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { type FormErrors, actingOf } from '../form-submission.js';
import type { PageContent } from '../../pages/page-response.js';
import { InboxPage } from './inbox.page.js';
import { InboxReader } from './inbox.reader.js';
import { type InboxQuery, parseInboxQuery, ticketPath } from './inbox-query.js';
import { MessagePage } from './message.page.js';

/** What somebody wrote into the composer, when it could not be sent. */
export interface UnsentMessage extends FormErrors {
  readonly body: string;
  readonly note: boolean;
}

@Injectable()
export class ConsoleInboxService {
  constructor(
    private readonly reader: InboxReader,
    private readonly messages: MessagesService,
  ) {}

  async list(me: Me, query: InboxQuery): Promise<PageContent> {
    return { view: <InboxPage view={await this.reader.list(me, query)} /> };
  }

  async ticket(me: Me, number: number, parameters: Readonly<Record<string, unknown>>): Promise<PageContent> {
    const query = parseInboxQuery(parameters);
    const images = parameters['images'] === '1';
    const { before } = parameters;
    const view = await this.reader.ticket(me, query, number, {
      before: typeof before === 'string' ? before : undefined,
      images,
      path: ticketPath(number, query),
    });
    return { view: <InboxPage view={view} />, images };
  }

  async ticketWithErrors(me: Me, number: number, query: InboxQuery, unsent: UnsentMessage): Promise<PageContent> {
    const path = ticketPath(number, query);
    const view = await this.reader.ticket(me, query, number, { before: undefined, images: false, path });
    const refused = { body: unsent.body, note: unsent.note, reason: unsent.formError ?? '' };
    return { view: <InboxPage view={{ ...view, open: view.open && { ...view.open, unsent: refused } }} /> };
  }

  async message(me: Me, id: string, images: boolean): Promise<PageContent> {
    const message = await this.messages.read(actingOf(me), id);
    return { view: <MessagePage message={message} images={images} />, images };
  }
}
