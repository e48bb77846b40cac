import { MessagesService, TriageService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { CreateMessageDto } from '../../messages/dto/create-message.dto.js';
import { Form } from '../../sign-in/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import { Presences } from '../live/presences.js';
import { actingOf, attempt, checked, typedText } from '../forms.js';
import type { PageAnswer } from '../page.js';
import { InboxPages } from './inbox.pages.js';
import { type InboxQuery, listPath, ticketPath } from './inbox-query.js';

/** What was written below a conversation is sent, and the page goes on as its writer wants. */
@Injectable()
export class ComposerFlow {
  constructor(
    private readonly messages: MessagesService,
    private readonly triage: TriageService,
    private readonly presences: Presences,
    private readonly pages: InboxPages,
  ) {}

  // oxlint-disable-next-line max-params
  post(me: Me, number: number, back: InboxQuery, raw: unknown): Promise<PageAnswer> {
    const form = new Form(raw);
    const body = typedText(form.text('body'));
    const note = form.text('kind') === 'note';
    return attempt(
      async () => {
        const dto = await checked(CreateMessageDto, { body, note });
        await this.messages.post(actingOf(me), number, dto.wanted());
        if (form.text('close') === 'yes') await this.triage.setState(actingOf(me), number, 'closed');
        await this.presences.stopReplying({ ...me, ticket: number });
        return { redirect: afterwards(form, number, back), notice: { tone: 'good', text: saidOf(note) } };
      },
      (refused) => this.pages.ticketAgain(me, number, back, { ...refused, body, note }),
    );
  }
}

const saidOf = (note: boolean): string => (note ? 'Note added.' : 'Reply sent.');

function afterwards(form: Form, number: number, back: InboxQuery): string {
  const next = Number(form.text('next'));
  const after = form.text('after');
  if (after === 'back' || (after === 'next' && !(next > 0))) return listPath(back);
  return ticketPath(after === 'next' ? next : number, back);
}
