import { MessagesService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { type Refused, actingOf } from '../forms.js';
import type { View } from '../../pages/page.js';
import { InboxPage } from './inbox.page.js';
import { InboxReader } from './inbox.reader.js';
import { type InboxQuery, inboxQuery, ticketPath } from './inbox-query.js';
import { MessagePage } from './message.page.js';

/** What somebody wrote into the composer, when it could not be sent. */
export interface Unsent extends Refused {
  readonly body: string;
  readonly note: boolean;
}

@Injectable()
export class InboxPages {
  constructor(
    private readonly reader: InboxReader,
    private readonly messages: MessagesService,
  ) {}

  async list(me: Me, query: InboxQuery): Promise<View> {
    return { view: <InboxPage view={await this.reader.list(me, query)} /> };
  }

  async ticket(me: Me, number: number, parameters: Readonly<Record<string, unknown>>): Promise<View> {
    const query = inboxQuery(parameters);
    const images = parameters['images'] === '1';
    const { before } = parameters;
    const view = await this.reader.ticket(me, query, number, {
      before: typeof before === 'string' ? before : undefined,
      images,
      path: ticketPath(number, query),
    });
    return { view: <InboxPage view={view} />, images };
  }

  async ticketAgain(me: Me, number: number, query: InboxQuery, unsent: Unsent): Promise<View> {
    const path = ticketPath(number, query);
    const view = await this.reader.ticket(me, query, number, { before: undefined, images: false, path });
    const refused = { body: unsent.body, note: unsent.note, reason: unsent.refused ?? '' };
    return { view: <InboxPage view={{ ...view, open: view.open && { ...view.open, refused } }} /> };
  }

  async message(me: Me, id: string, images: boolean): Promise<View> {
    const message = await this.messages.read(actingOf(me), id);
    return { view: <MessagePage message={message} images={images} />, images };
  }
}
